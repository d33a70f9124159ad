/** Before a link opens another site (LOOP-13). */
export const outsideLinkTexts = {
  title: 'Leave this site?',
  message: 'This link opens another site:',
  lookAlike: 'This name contains characters that can look like other ones. Check that you trust it.',
  open: 'Open link',
} as const
