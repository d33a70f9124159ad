/** Twice what large cameras take. A small file can unfold to any number of pixels: this many are opened, and no more. */
export const maxPixels = 120_000_000
/** HEIC is unfolded whole, four bytes a pixel, before anything else can be done with it: what phones take. */
export const maxHeicPixels = 50_000_000
/** Longest side of a rendered picture (storage-api's limit). */
export const maxRenderedSide = 2500
/** No picture needs longer; one that does is an attack on the server's time. */
export const workSeconds = 30
