"""`VectorsEpoch`: the vectors as they stand after one pass over the data, whichever way they are learnt."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class VectorsEpoch:
    """One pass: which of how many, the loss, and a vector for each word in the order of the vocabulary."""

    number: int  # from 1
    total: int
    loss: float
    learning_rate: float  # at its end
    table_VD: NDArray[np.float32]
