/** Twice what large cameras take. A small file can decode to any number of pixels, so larger pictures are rejected. */
export const maxPixels = 120_000_000
/** HEIC is decoded whole, four bytes a pixel, before any other step. This is what phones take. */
export const maxHeicPixels = 50_000_000
/** Longest side of a rendered picture (storage-api's limit). */
export const maxRenderedSide = 2500
/** No picture needs longer; one that does is an attack on the server's time. */
export const workSeconds = 30
