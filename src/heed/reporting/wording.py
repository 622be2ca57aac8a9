"""What a report says of a run in sentences, the same on the page and in the terminal."""

from datetime import UTC, datetime

from heed.reporting.facts import RunFacts
from heed.reporting.numbers import duration_text, spelled

# How tasks are told in "it learns to …".
_LEARNS = {
    "translate": "make one text of another",
    "classify": "label texts",
    "pair": "judge pairs of texts",
    "tag": "tag words",
    "answer": "answer questions from a paragraph",
    "write": "write text",
    "vectors": "place words by their meaning",
    "pretrain": "find hidden words",
    "image": "label pictures",
    "caption": "describe pictures",
}
# How models are called in a sentence.
_MODELS = {
    "transformer": "A Transformer",
    "bert": "A BERT",
    "vit": "A ViT",
    "lstm": "An LSTM",
    "gru": "A GRU",
    "rnn": "An RNN",
    "textcnn": "A TextCNN",
    "tfidf": "A linear model over tf-idf",
    "word2vec": "A word2vec model",
    "glove": "A GloVe model",
}


def headline(facts: RunFacts) -> str:
    """Return in a sentence what the run is and how good it became."""
    model, learns = _MODELS.get(facts.model, f"A model ({facts.model})"), _LEARNS.get(facts.task, facts.task)
    if facts.origin is not None:
        return f"{model} that learnt elsewhere to {learns}, imported from {facts.origin}."
    where = f" from {facts.data.origin}" if facts.data.origin else ""
    return f"{model} that learns to {learns}{where}. {best_sentence(facts)}"


def best_sentence(facts: RunFacts) -> str:
    """Return the best score and where it comes from."""
    best = facts.best
    if best is None:
        return "It has not been validated yet."
    less = ", where less is better" if best.less_is_better else ""
    source = "the training text" if facts.task == "vectors" else "the validation data"
    return f"Best {title_of(best.name)} on {source}: {spelled(best.value)} at step {best.step:,}{less}."


def state_sentence(facts: RunFacts) -> str | None:
    """Return what a person must know of a run that has not come to its end; None where it has."""
    match facts.state:
        case "stopped":
            return f"Training was stopped at step {facts.progress.steps:,} and can go on: heed resume {facts.path}"
        case "in progress":
            return f"This was written while the run was training, at step {facts.progress.steps:,}."
        case _:
            return None


def length_text(facts: RunFacts) -> str:
    """Return how long the run was trained."""
    progress = facts.progress
    epochs = f"{progress.epochs:,} epoch{'s' if progress.epochs != 1 else ''}"
    return f"{progress.steps:,} steps, {epochs}, {duration_text(progress.seconds)}"


def date_text(seconds: float) -> str:
    """Return a moment as a page shows it, the same wherever it is made."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def title_of(name: str) -> str:
    """Return the name of a score as people write it."""
    known = {"bleu": "BLEU", "chrf": "chrF", "f1": "F1", "spearman": "Spearman"}
    return known.get(name, name.replace("_", " "))
