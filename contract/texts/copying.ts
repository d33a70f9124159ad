/** After copying a link or a code. */
export const copyTexts = {
  linkCopied: 'Link copied',
  copied: 'Copied',
  copyRefused: "Your browser didn't allow copying. Select the text and copy it yourself.",
  copyFailed: { title: "Couldn't copy the link", message: 'Copy it from the address bar instead.' },
} as const
