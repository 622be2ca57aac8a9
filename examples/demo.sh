#!/usr/bin/env bash
# Train a small French-English translator on the built-in corpus, translate a sentence, draw where it looked, score it.
set -euo pipefail
run_folder=runs/demo-fr-en

# Print a command as one would type it, then run it.
run() {
    local shown='$' word
    for word in "$@"; do
        [[ $word == *' '* ]] && word="\"$word\""
        shown+=" $word"
    done
    printf '\n%s\n' "$shown"
    "$@"
}

run heed train translate demo:fr-en --out "$run_folder" --force
run heed predict "$run_folder" "Jane visite l'Afrique en septembre" --beam 4 --alignment "$run_folder/alignment.png"
run heed evaluate "$run_folder" demo:fr-en

cat <<EOF

The picture of the alignment is $run_folder/alignment.png. Things to try next
(heed is in .venv/bin; put that on your PATH or write .venv/bin/heed):
  heed predict $run_folder "Jane visite l'Afrique en septembre" --beam 4 --tree
  heed check translate demo:fr-en
  heed train translate my-pairs.tsv --out runs/mine
  heed doctor
  heed --help
EOF
