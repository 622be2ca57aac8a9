"""The values behind `defaults`: what suits each task, its demo, recurrent networks, and models that know a language.

Each is laid over the defaults of the settings themselves.
"""

from collections.abc import Mapping

Values = Mapping[str, object]

# What suits a task wherever the data comes from.
TASK: Mapping[str, Values] = {
    "translate": {},
    "classify": {
        "tokens": {"size": 20000, "lowercase": True},
        "training": {
            "tokens_per_batch": 4096,
            "learning_rate": 1e-3,
            "average": 0.998,
            "validations": 10,  # each reads all validation texts, which takes its share of a budget
            "patience": 5,
        },
    },
    "pair": {
        "tokens": {"size": 8000},
        "training": {"tokens_per_batch": 2048, "learning_rate": 1e-3, "average": 0.99, "patience": 8},
    },
    "tag": {
        "training": {
            "tokens_per_batch": 1024,
            "learning_rate": 2e-3,
            "average": 0.99,
            "label_smoothing": 0.0,
            "patience": 8,
        },
    },
    "answer": {"training": {"tokens_per_batch": 4096, "learning_rate": 1e-3, "average": 0.998}},
    "write": {"training": {"tokens_per_batch": 2048, "learning_rate": 3e-3, "average": 0.99}},
    "vectors": {},
    "pretrain": {},
    # Muon learns pictures in half the steps of AdamW or fewer, and better; it bears rates that AdamW does not.
    "image": {"training": {"optimizer": "muon", "learning_rate": 4e-3}},
    "caption": {"training": {"optimizer": "muon", "learning_rate": 2e-3}},
}
# For those who ask for AdamW all the same: it bears less.
BY_ADAMW: Mapping[str, Values] = {
    "image": {"training": {"learning_rate": 6e-4}},  # at 1e-3 one of three hybrids learnt little
    "caption": {"training": {"learning_rate": 1.5e-3}},
}
# The steps of a recurrent network follow each other: more texts at a time cost it little, and let it take longer steps.
RECURRENT: Mapping[str, Values] = {
    "classify": {"training": {"tokens_per_batch": 8192, "learning_rate": 2e-3}},
    "tag": {"tokens": {"size": 4000}, "training": {"tokens_per_batch": 512, "learning_rate": 4e-3}},
    "write": {"training": {"learning_rate": 5e-3}},
}
DEMO_ENCODER: Values = {
    "image": 64,
    "patch": 8,
    "width": 96,
    "heads": 3,
    "layers": 2,
    "feedforward": 192,
    "stem": "convolutional",
    "drop_path": 0.0,
}
# The built-in corpora have a few hundred words and short sentences: small models learn them while one waits.
DEMO: Mapping[str, Values] = {
    "translate": {
        "tokens": {"kind": "words"},
        "training": {"steps": 500, "tokens_per_batch": 4096, "learning_rate": 3e-3, "average": 0.99, "validations": 5},
    },
    "classify": {
        "tokens": {"kind": "words"},
        "training": {"steps": 400, "tokens_per_batch": 2048, "average": 0.99, "validations": 5},
    },
    "pair": {
        "reading": "towers",  # joined pairs of these few words are learnt much more slowly
        "tokens": {"kind": "words"},
        "training": {"steps": 600, "tokens_per_batch": 2048, "average": 0.99, "validations": 5},
    },
    "tag": {"tokens": {"kind": "words"}, "training": {"steps": 400, "tokens_per_batch": 1024, "validations": 5}},
    # To match who did what between question and paragraph is learnt late: 400 steps find half of the answers.
    "answer": {
        "tokens": {"kind": "words"},
        "model": {
            "kind": "transformer",
            "width": 64,
            "heads": 4,
            "layers": 3,
            "feedforward": 128,
            "dropout": 0.0,
            "positions": "rotary",
            "segments": 2,
            "word_dropout": 0.0,
        },
        "training": {"steps": 2000, "tokens_per_batch": 2048, "learning_rate": 4e-3, "average": 0.99, "validations": 5},
    },
    "write": {
        "model": {
            "kind": "transformer",
            "width": 64,
            "heads": 4,
            "layers": 2,
            "feedforward": 128,
            "longest": 32,
            "dropout": 0.0,
        },
        "training": {"steps": 200, "tokens_per_batch": 512, "learning_rate": 5e-3, "average": 0.95, "validations": 5},
    },
    "vectors": {},
    "pretrain": {
        "tokens": {"kind": "words"},
        "length": 64,
        # It ends at a perplexity of 7; knowing no more than how frequent each word is gives 110.
        "model": {"width": 64, "heads": 4, "layers": 2, "feedforward": 128},
        "training": {"steps": 800, "tokens_per_batch": 2048, "learning_rate": 5e-3, "average": 0.99, "validations": 5},
    },
    # Shapes must be told from colours that say nothing: convolutions see edges from the first step on, and some
    # pictures have no colour. Two layers learn it in half the steps of four.
    "image": {
        "model": {**DEMO_ENCODER, "pooling": "mean"},
        "augmentation": {
            "crop": 0.75,
            "stretch": 1.0,
            "turn": 0.0,
            "colour": 0.3,
            "grey": 0.3,
            "erase": 0.0,
            "cutmix": 0.0,
        },
        "training": {
            "steps": 1250,
            "tokens_per_batch": 1536,
            "learning_rate": 3e-3,
            "label_smoothing": 0.0,
            "average": 0.99,
            "validations": 5,
        },
    },
    "caption": {
        "model": {
            "kind": "transformer",
            "width": 96,
            "heads": 3,
            "layers": 2,
            "feedforward": 192,
            "longest": 16,
        },
        "augmentation": {"crop": 0.75, "stretch": 1.0, "turn": 0.0},
        "training": {
            "steps": 1500,
            "tokens_per_batch": 2048,
            "learning_rate": 3e-3,
            "label_smoothing": 0.0,
            "average": 0.99,
            "validations": 5,
        },
    },
}
# A model that knows the language already needs small steps and few passes.
FINE_TUNING: Values = {
    "training": {
        "learning_rate": 1e-4,
        "schedule": "linear",
        "warmup": 0.1,
        "tokens_per_batch": 2048,
        "average": 0.99,
        "validations": 6,
        "patience": None,
    },
}
# A model that knows how to see, and learnt it by AdamW.
SEEING: Values = {
    "training": {
        "optimizer": "adamw",
        "learning_rate": 1e-4,
        "layer_decay": 0.8,
        "tokens_per_batch": 4096,
        "average": 0.99,
        "validations": 6,
    },
}
# Pre-training that goes on where another ended.
GOING_ON: Values = {"training": {"learning_rate": 2e-4}}
DEMO_TRANSFORMER: Values = {
    "kind": "transformer",
    "width": 128,
    "heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "feedforward": 256,
}
