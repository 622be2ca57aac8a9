"""Pictures shown as they are, against which variation is held."""

from heed.tasks.augmentation import AugmentationSettings

NONE = AugmentationSettings(crop=1.0, stretch=1.0, turn=0.0, flip=False, colour=0.0, erase=0.0, cutmix=0.0)
