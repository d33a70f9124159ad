/** Captions of videos: the composer, the dialog that edits a post (POST-16, POST-17). */
export const captionsTexts = {
  label: (video: string) => `Captions for ${video}`,
  add: 'Add captions',
  addTo: (video: string) => `Add captions to ${video}`,
  language: 'Caption language',
  remove: (language: string) => `Remove ${language} captions`,
  /** When the video's languages aren't listed. */
  kept: 'Existing captions stay. A file in the same language replaces them.',
  hint: 'Add one WebVTT file (.vtt) per language.',
  video: (position: number, total: number) => (total > 1 ? `video ${position}` : 'the video'),
  errors: {
    tooLarge: 'Choose a caption file up to 500 kB',
    notCaptions: "This isn't a WebVTT caption file",
    tooMany: 'A video can have captions in up to 20 languages',
  },
} as const
