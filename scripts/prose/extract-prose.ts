import jsTokens, { type JSXToken, type Token } from 'js-tokens'

const blank = (code: string) => code.replace(/[^\n]/g, ' ')

/**
 * The prose of a file: comments, string literals, and the text of elements. Everything else becomes spaces, so that lines and columns
 * stay where they are.
 */
export function extractProse(path: string, source: string): string {
  if (path.endsWith('.md')) return source
  if (path.endsWith('.sql')) return withoutNames(proseOfSql(source))
  return withoutNames(proseOfScript(source, path.endsWith('x')))
}

/** Code that a comment quotes in backticks is no prose. */
const withoutNames = (prose: string) => prose.replace(/`[^`\n]*`/g, blank)

function proseOfScript(source: string, jsx: boolean): string {
  let prose = ''
  const tokens: Iterable<Token | JSXToken> = jsx ? jsTokens(source, { jsx: true }) : jsTokens(source)
  for (const token of tokens)
    switch (token.type) {
      case 'SingleLineComment':
      case 'MultiLineComment':
        prose += token.value.replace(/^\s*[/*]+|\*\/$/gm, blank)
        break
      case 'StringLiteral':
      case 'NoSubstitutionTemplate':
      case 'TemplateHead':
      case 'TemplateMiddle':
      case 'TemplateTail':
      case 'JSXString':
        prose += token.value.replace(/^['"`}]|(?:['"`]|\$\{)$/g, blank)
        break
      case 'JSXText':
        prose += token.value
        break
      default:
        prose += blank(token.value)
    }
  return prose
}

/** Comments and strings. Bodies between dollar quotes are code again. */
function proseOfSql(source: string): string {
  let prose = ''
  for (const [part] of source.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|[^'/-]+|[/-]/g))
    prose += /^(?:--|\/\*|')/.test(part) ? part.replace(/^(?:--|\/\*|')|(?:\*\/|')$/g, blank) : blank(part)
  return prose
}
