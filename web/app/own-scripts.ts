/** The build's files that the document names. Their names contain their hashes, so they tell releases apart. */
export const ownScripts = (): string[] =>
  [...document.scripts].map((script) => script.getAttribute('src') ?? '').filter((src) => src.startsWith('/assets/'))
