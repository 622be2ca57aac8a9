"""A plain server of FastAPI and `transformers`, as many write it: one pipeline or `generate` for each request.

    python benchmarks/serve_peer.py {classify,translate} FOLDER PORT

FOLDER is what `serve.py` has prepared.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import torch
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

Answer = Callable[[list[str]], list[object]]


class Asked(BaseModel):
    """The texts of a request; other fields are ignored."""

    inputs: list[str]


def classifier(folder: Path) -> Answer:
    """Return the pipeline of a BERT of our encoder's size."""
    from classification_contenders import LIKE_BERT
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast, pipeline

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "classify" / "tokenizer.json"), pad_token="[PAD]", unk_token="[UNK]"
    )
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=LIKE_BERT.width,
        num_hidden_layers=LIKE_BERT.layers,
        num_attention_heads=LIKE_BERT.heads,
        intermediate_size=LIKE_BERT.feedforward,
        max_position_embeddings=LIKE_BERT.longest,
        num_labels=len(json.loads((folder / "labels.json").read_text())),
        pad_token_id=tokenizer.pad_token_id,
    )
    model = BertForSequenceClassification(config).eval()
    classify = pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu", top_k=None)
    return lambda texts: classify(texts, truncation=True, max_length=LIKE_BERT.longest)


def translator(folder: Path) -> Answer:
    """Return `generate` of a Marian model with our weights, and four beams."""
    from transformers import MarianMTModel

    from heed.prediction.loading import load_translator
    from heed.tasks.rows import pad_rows
    from heed.tasks.translate import encode_sources

    tokenizer = load_translator(folder / "translate").tokenizers.source
    model = MarianMTModel.from_pretrained(folder / "marian", local_files_only=True).eval()

    @torch.inference_mode()
    def translate(texts: list[str]) -> list[object]:
        rows, _ = encode_sources(texts, tokenizer, model.config.max_position_embeddings)
        source_ids, source_keep = pad_rows(rows, list(range(len(texts))))
        found = model.generate(
            input_ids=source_ids,
            attention_mask=source_keep.long(),
            num_beams=4,
            do_sample=False,
            max_new_tokens=min(model.config.max_position_embeddings - 1, 2 * source_ids.shape[1] + 10),
            suppress_tokens=[0, 1, 2],
        )
        return [tokenizer.decode([id for id in ids if id > 3]) for ids in found.tolist()]

    return translate


def main() -> None:
    """Serve until it is ended."""
    kind, folder, port = sys.argv[1:]
    answer = {"classify": classifier, "translate": translator}[kind](Path(folder))
    app = FastAPI()

    @app.post("/v1/predict")
    def predict(asked: Asked) -> dict[str, object]:
        return {"results": answer(asked.inputs)}

    uvicorn.run(app, port=int(port), log_level="error")


if __name__ == "__main__":
    main()
