/** Cropping, and a creator's choices about photos (PROF-08, POST-47). */
export const mediaTexts = {
  crop: {
    avatar: 'Crop profile picture',
    banner: 'Crop cover banner',
    front: 'Crop picture',
    hint: 'Drag the image, or move it with the arrow keys.',
    area: 'Image to crop',
    zoom: 'Zoom',
    rotate: 'Rotate',
    save: 'Use image',
  },
  watermark: {
    label: 'Watermark my photos',
    description: "Viewers see their own username across each photo. Your originals don't change.",
    saved: 'Saved',
    failed: "Couldn't save your choice",
  },
} as const
