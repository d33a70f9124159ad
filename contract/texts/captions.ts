/** Captions of videos: the composer, the dialog that edits a post (POST-16, POST-17). */
export const captionsTexts = {
  label: (video: string) => `Captions of ${video}`,
  add: 'Add captions',
  addTo: (video: string) => `Add captions to ${video}`,
  language: 'Language of the captions',
  remove: (language: string) => `Remove the captions in ${language}`,
  /** Where it is not told which languages a video has. */
  kept: 'Captions that a video has already stay. A file in the same language replaces them.',
  hint: 'A WebVTT file (.vtt) for each language.',
  video: (position: number, total: number) => (total > 1 ? `video ${position}` : 'the video'),
  errors: {
    tooLarge: 'Captions can have up to 500 kB',
    notCaptions: 'This is not a WebVTT file with captions',
    tooMany: 'A video has captions in up to 20 languages',
  },
} as const
