/** Everything read of the viewer's vault. In a file of its own, because the screens that upload need nothing else of it at first. */
export const vaultKey = ['vault'] as const
