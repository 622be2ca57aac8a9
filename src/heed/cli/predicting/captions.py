"""`heed predict` of a captioner."""

from heed.cli.predicting.asked import SEARCH, Asked
from heed.cli.predicting.pictures import pictures_of, print_answers
from heed.prediction.picture_captioner import Caption, PictureCaptioner

OPTIONS = (*SEARCH, "best")


def predict(model: PictureCaptioner, asked: Asked) -> None:
    """Print the caption of each picture, or the best of them, and its name where there are several."""
    best = asked.best()

    def lines(found: Caption) -> list[str]:
        if best is None:
            return [str(found.text)]
        return [f"{rank}\t{each.score:.4f}\t{each.text}" for rank, each in enumerate(found.alternatives, start=1)]

    print_answers(model.stream(pictures_of(asked), asked.search(model.search)), lines, asked)
