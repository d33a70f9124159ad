import { expect, it } from 'vitest'
import { extractProse } from './extract-prose.ts'

const words = (path: string, source: string) => extractProse(path, source).split(/\s+/).filter(Boolean).join(' ')

it('keeps comments, strings, and the text of elements, and drops code', () => {
  const source = `/** Opens the gate. */\nconst door = open('a text', \`with \${door} inside\`) // now\n`
  expect(words('a.ts', source)).toBe('Opens the gate. a text with inside now')
  expect(words('a.tsx', 'const a = <p title="Hint">Some text {door}</p>')).toBe('Hint Some text')
})

it('drops names in backticks from comments', () => {
  expect(words('a.ts', '// Calls `door()` first.')).toBe('Calls first.')
})

it('keeps comments and strings of SQL, inside function bodies too', () => {
  const source = "create function door() as $$ begin -- Checks it.\n raise 'It''s closed'; end $$; /* Done. */"
  expect(words('a.sql', source)).toBe("Checks it. It''s closed Done.")
})

it('keeps lines and columns in place', () => {
  const source = 'const a = 1\n  // A comment\n'
  expect(extractProse('a.ts', source)).toBe(`${' '.repeat(11)}\n     A comment\n`)
})
