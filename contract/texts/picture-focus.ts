/** The focus point of a picture: the composer, the dialog that edits a post (LOOP-11). */
export const focusTexts = {
  open: 'Set focus point',
  openFor: (picture: string) => `Set the focus point for ${picture}`,
  change: 'Change focus point',
  changeFor: (picture: string) => `Change the focus point for ${picture}`,
  picture: (position: number, total: number) => (total > 1 ? `photo ${position}` : 'the photo'),
  title: 'Focus point',
  hint: 'Tap what matters most in your photo. It stays in view wherever the photo is cropped.',
  across: 'Distance from the left',
  down: 'Distance from the top',
  middle: 'Center',
  save: 'Set point',
} as const
