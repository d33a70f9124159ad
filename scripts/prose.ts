import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import text from '@textlint/textlint-plugin-text'
import terminology from 'textlint-rule-terminology'
import { extractProse } from './prose/extract-prose.ts'
import { terms } from './prose/terms.ts'
import { root } from './run.ts'

/**
 * `node scripts/prose.ts`: finds words that docs/glossary.md and CONTRIBUTING.md rule out, in documents, comments, and strings.
 * With folders (`node scripts/prose.ts server/auth web`) it looks there instead, also where it isn't enforced yet.
 */
const enforced = ['*.md', 'bench', 'contract', 'database', 'e2e', 'sandbox', 'scripts', 'server', 'web']
/** Fixed by the specification, generated, or about the words themselves. */
const exempt = [
  'docs/specification.md',
  'docs/spec-coverage.md',
  'docs/errors.md',
  'docs/stripe-calls.md',
  'contract/database.ts',
  'database/schema/',
  'scripts/prose/',
]

const kernel = new TextlintKernel()
const options = {
  plugins: [
    { pluginId: 'markdown', plugin: markdown.default },
    { pluginId: 'text', plugin: text.default },
  ],
  rules: [{ ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms } }],
}

const chosen = process.argv.slice(2)
const paths = execFileSync('git', ['ls-files', '--', ...(chosen.length > 0 ? chosen : enforced)], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:md|sql|tsx?)$/.test(path) && !exempt.some((start) => path.startsWith(start)))

let found = 0
for (const path of paths) {
  const prose = extractProse(path, readFileSync(`${root}${path}`, 'utf8'))
  const ext = path.endsWith('.md') ? '.md' : '.txt'
  const { messages } = await kernel.lintText(prose, { ...options, ext, filePath: path })
  for (const { message, loc } of messages)
    console.log(`${path}:${loc.start.line}:${loc.start.column} ${message.replaceAll('\n', ' ')}`)
  found += messages.length
}
console.log(`${found} in ${paths.length} files`)
process.exitCode = found > 0 ? 1 : 0
