/** Cropping, and a creator's choices about photos (PROF-08, POST-47). */
export const mediaTexts = {
  crop: {
    avatar: 'Crop profile picture',
    banner: 'Crop cover banner',
    hint: 'Drag the picture, or move it with the arrow keys.',
    area: 'Picture to crop',
    zoom: 'Zoom',
    rotate: 'Rotate',
    save: 'Use picture',
  },
  watermark: {
    label: 'Write viewers’ names on my photos',
    description: 'Everybody else sees their own username across their copy. The originals stay with you.',
    saved: 'Saved',
    failed: 'Your choice could not be saved',
  },
} as const
