import { Tokenizer, TokenizerMode } from 'parse5'

type Mode = (typeof TokenizerMode)[keyof typeof TokenizerMode]

/** Elements whose content is text, also where it looks like a tag. */
const textModes: Readonly<Record<string, Mode>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
}

const ignore = () => undefined

/**
 * Whether a page has `<a rel="me" href="…">`, or the same as `<link>`, with an address that `isWanted` accepts. Only tags are read: the tree of
 * a hostile page can take a parser minutes.
 * @param url the page's own, for relative addresses.
 */
export function linksBack(html: string, url: URL, isWanted: (address: URL) => boolean): boolean {
  let found = false
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs }) {
        const mode = Object.hasOwn(textModes, tagName) ? textModes[tagName] : undefined
        if (mode !== undefined) tokenizer.state = mode
        if (found || (tagName !== 'a' && tagName !== 'link')) return
        const textOf = (name: string) => attrs.find((attribute) => attribute.name === name)?.value ?? ''
        if (!textOf('rel').toLowerCase().split(/\s+/).includes('me')) return
        const address = URL.parse(textOf('href'), url.href)
        found = address !== null && isWanted(address)
      },
      onEndTag: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  )
  tokenizer.write(html, true)
  return found
}
