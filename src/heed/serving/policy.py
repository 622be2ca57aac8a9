"""`POLICY`, `HEADERS`: what a browser may do on the server's page: fetch from this server alone, run its files alone.

An explanation is a page of its own, with one script and one style inside. The server's page shows it in a frame that
is a stranger to it: no cookie, no token, no address of the page can be reached from there. Such a frame inherits this
policy, so it names the hashes of that script and that style, which are the same for every explanation. Drawing all of
it a second time in the server's page would need none of this, but two pages would have to be kept alike.
"""

from heed.inspection.page.document import script_source, style_source

POLICY = (
    f"default-src 'none'; script-src 'self' {script_source()}; style-src 'self' {style_source()}; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {  # of every answer, refusals too
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
