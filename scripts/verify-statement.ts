import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/**
 * `npm run verify-statement FILE`: recomputes a downloaded statement or record of authors, offline and from the file alone. Each line's hash
 * contains the hash of the line before, so that no line can be changed, left out or put in unnoticed. The first one follows 64 zeros.
 *
 * A statement is CSV. The hash of a line is the sha256 of
 *   v1|seq|account|cause|type|amount in cents|currency|occurred_at|hash of the line before
 *
 * A record of authors (message-authors.jsonl of the data export) has a JSON object in each line: first the head, then the messages, one
 * conversation after the other. The hash of a line is the sha256 of
 *   v1|the two users, as in chain, with | between them|seq|message_id|sender_id|author_kind|author_id|name_hash|content_hash|file_hashes|sent_at|previous_hash
 * with commas between the file_hashes. content_hash is the sha256 of
 *   content_salt|price in cents|sha256 of the text
 * each of the file_hashes, of which files deleted later keep theirs, that of
 *   content_salt|path of the file
 * and name_hash that of
 *   author_name_salt|author_name
 * A missing value is an empty text. A text or name that you may not see, or that is gone, is left out with its salt.
 */
const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: npm run verify-statement FILE')
  process.exit(2)
}

type Line = Readonly<Record<string, string>>
type Message = Readonly<Record<string, unknown>>

const columns = ['seq', 'account', 'occurred_at', 'type', 'cause', 'currency', 'amount_cents', 'balance_cents']
  .concat(['previous_hash', 'hash'])
  .join(',')

const lines = linesOf(file)
const first = lines.next().value ?? ''
const head = headOf(first)
if (head !== undefined) verifyRecord(head, lines)
else if (first === columns) verifyStatement(lines)
else fail(`This is not a statement or a record of authors: its first line is neither ${columns} nor a record's head.`)

function verifyStatement(rows: Iterable<string>): void {
  const names = columns.split(',')
  const entries = [...rows].map((row) => {
    const values = row.split(',')
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  })
  const problem = findProblem(entries)
  if (problem) fail(`This statement is not sound: ${problem}.`)
  const sum = (wanted: (line: Line) => boolean) =>
    entries.filter(wanted).reduce((total, { amount_cents }) => total - BigInt(amount_cents ?? 0), 0n)
  const isPayout = ({ type }: Line) => type === 'payout'
  console.log(`${entries.length} entries, each follows the one before. Sound.`)
  console.log(`Earned    ${dollars(sum((line) => !isPayout(line)))}`)
  console.log(`Paid out  ${dollars(-sum(isPayout))}`)
  console.log(`Balance   ${dollars(sum(() => true))}`)
}

function findProblem(entries: readonly Line[]): string | undefined {
  let previous = '0'.repeat(64)
  let balance = 0n
  for (const [index, line] of entries.entries()) {
    const { seq, account, cause, type, amount_cents, currency, occurred_at, hash } = line
    if (seq !== String(index + 1)) return `line ${index + 1} has the number ${seq}: an entry is missing or was put in`
    if (account !== entries[0]?.account) return `entry ${seq} belongs to another account`
    if (line.previous_hash !== previous) return `entry ${seq} does not follow the one before it`
    if (sha256(['v1', seq, account, cause, type, amount_cents, currency, occurred_at, previous]) !== hash)
      return `entry ${seq} was changed after it was written`
    balance -= BigInt(amount_cents ?? 0)
    if (String(balance) !== line.balance_cents) return `entry ${seq} shows a balance that its amounts do not add up to`
    previous = hash ?? ''
  }
  return undefined
}

/** Reads line by line: the record of a creator with many fans doesn't fit in memory. */
function verifyRecord(head: Message, rows: Iterable<string>): void {
  const seen = new Set<unknown>()
  const counts = { lines: 0, user: 0, team: 0, automation: 0, readable: 0 }
  let last: Message = {}
  for (const row of rows) {
    const line = messageOf(row) ?? fail(`This record is not sound: line ${counts.lines + 2} is cut or is not JSON.`)
    const isFirst = line.chain !== last.chain
    const problem = findForgery(line, isFirst ? undefined : last, String(head.profile_id))
    if (problem) fail(`This record is not sound: message ${line.seq} of conversation ${line.chain} ${problem}.`)
    if (isFirst && seen.has(line.chain)) fail(`This record is not sound: conversation ${line.chain} is there twice.`)
    seen.add(line.chain)
    counts.lines += 1
    counts[line.author_kind as 'user' | 'team' | 'automation'] += 1
    if ('content' in line) counts.readable += 1
    last = line
  }
  if (counts.lines !== head.lines || seen.size !== head.conversations)
    fail(
      `This record is not sound: it has ${counts.lines} messages in ${seen.size} conversations, and its head says ${head.lines} in ${head.conversations}.`,
    )
  console.log(`${counts.lines} messages in ${seen.size} conversations, each follows the one before. Sound.`)
  console.log(`By the users          ${counts.user}`)
  console.log(`By team members       ${counts.team}`)
  console.log(`By automations        ${counts.automation}`)
  console.log(`With the text as sent ${counts.readable}`)
  console.log(`Without it            ${counts.lines - counts.readable} (locked, unsent, or of a deleted account)`)
}

/** @param before the line before in the same conversation. */
function findForgery(line: Message, before: Message | undefined, owner: string): string | undefined {
  const users = String(line.chain).split(':')
  const { seq, message_id, sender_id, author_kind, author_id, name_hash, content_hash, sent_at, hash } = line
  const fileHashes = line.file_hashes as readonly string[]
  const previous = before?.hash ?? '0'.repeat(64)
  if (seq !== Number(before?.seq ?? 0) + 1) return 'has the wrong number: a line is missing or was put in'
  if (!users.includes(owner)) return "isn't one of the user's conversations"
  if (line.previous_hash !== previous) return 'does not follow the line before it'
  const values = ['v1', ...users, seq, message_id, sender_id, author_kind, author_id, name_hash, content_hash]
  if (sha256([...values, fileHashes.join(','), sent_at, previous]) !== hash) return 'was changed after it was written'
  if ('author_name' in line && sha256([line.author_name_salt, line.author_name]) !== name_hash)
    return 'has another author'
  if ('content' in line) {
    if (sha256([line.content_salt, line.price, sha256([line.content])]) !== content_hash)
      return 'has another text or price than the message that was sent'
    const files = line.files as readonly string[]
    if (!files.every((path) => fileHashes.includes(sha256([line.content_salt, path]))))
      return 'has other files than the message that was sent'
  }
  return undefined
}

function sha256(values: readonly unknown[]): string {
  return createHash('sha256')
    .update(values.map((value) => value ?? '').join('|'))
    .digest('hex')
}

function headOf(text: string): Message | undefined {
  const head = messageOf(text)
  return head?.record === 'message authors' && head.version === 1 ? head : undefined
}

function messageOf(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message
  } catch {
    return undefined
  }
}

function* linesOf(path: string): Generator<string, void> {
  const descriptor = openSync(path, 'r')
  const decoder = new TextDecoder()
  const bytes = Buffer.alloc(1024 * 1024)
  let rest = ''
  for (let size = readSync(descriptor, bytes); size > 0; size = readSync(descriptor, bytes)) {
    const rows = (rest + decoder.decode(bytes.subarray(0, size), { stream: true })).split('\n')
    rest = rows.pop() ?? ''
    for (const row of rows) if (row.trim() !== '') yield row.replace(/\r$/, '')
  }
  closeSync(descriptor)
  if (rest !== '') yield rest
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function dollars(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}$${digits.slice(0, -2)}.${digits.slice(-2)}`
}
