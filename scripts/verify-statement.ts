import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * `npm run verify-statement FILE`: recomputes a downloaded statement, offline and from the file alone. Each line's hash is the sha256 of
 *   v1|seq|account|cause|type|amount in cents|currency|occurred_at|hash of the line before
 * and the first follows 64 zeros, so that no line can be changed, left out or put in unnoticed.
 */
const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: npm run verify-statement FILE')
  process.exit(2)
}

type Line = Readonly<Record<string, string>>

const columns = ['seq', 'account', 'occurred_at', 'type', 'cause', 'currency', 'amount_cents', 'balance_cents']
  .concat(['previous_hash', 'hash'])
  .join(',')

const text = readFileSync(file, 'utf8')
if (text.split(/\r?\n/, 1)[0] !== columns) {
  console.error(`This is not a statement: its first line is not ${columns}.`)
  process.exit(1)
}
const lines = parse(text)
const problem = findProblem(lines)
if (problem) {
  console.error(`This statement is not sound: ${problem}.`)
  process.exit(1)
}
const sum = (wanted: (line: Line) => boolean) =>
  lines.filter(wanted).reduce((total, { amount_cents }) => total - BigInt(amount_cents ?? 0), 0n)
const isPayout = ({ type }: Line) => type === 'payout'
console.log(`${lines.length} entries, each follows the one before. Sound.`)
console.log(`Earned    ${dollars(sum((line) => !isPayout(line)))}`)
console.log(`Paid out  ${dollars(-sum(isPayout))}`)
console.log(`Balance   ${dollars(sum(() => true))}`)

function parse(text: string): Line[] {
  const [head = '', ...rows] = text.split(/\r?\n/).filter((row) => row !== '')
  const names = head.split(',')
  return rows.map((row) => {
    const values = row.split(',')
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  })
}

function findProblem(entries: readonly Line[]): string | undefined {
  let previous = '0'.repeat(64)
  let balance = 0n
  for (const [index, line] of entries.entries()) {
    const { seq, account, cause, type, amount_cents, currency, occurred_at, hash } = line
    if (seq !== String(index + 1)) return `line ${index + 1} has the number ${seq}: an entry is missing or was put in`
    if (account !== entries[0]?.account) return `entry ${seq} belongs to another account`
    if (line.previous_hash !== previous) return `entry ${seq} does not follow the one before it`
    const content = ['v1', seq, account, cause, type, amount_cents, currency, occurred_at, previous].join('|')
    if (createHash('sha256').update(content).digest('hex') !== hash)
      return `entry ${seq} was changed after it was written`
    balance -= BigInt(amount_cents ?? 0)
    if (String(balance) !== line.balance_cents) return `entry ${seq} shows a balance that its amounts do not add up to`
    previous = hash ?? ''
  }
  return undefined
}

function dollars(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}$${digits.slice(0, -2)}.${digits.slice(-2)}`
}
