import { readFileSync } from 'node:fs'
import { run } from './run.ts'

/**
 * `npm run proof [NAME...]`: every `proof:NAME` of package.json, one after the other, because each takes the whole machine: what takes
 * too long for `npm test`. The last lines say how each ended. Exits with 1 when one failed.
 */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const known = Object.keys(scripts).flatMap((name) => (name.startsWith('proof:') ? [name.slice('proof:'.length)] : []))
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`There is no proof of ${unknown.join(', ')}; there are ${known.join(', ')}`)

const ended: string[] = []
for (const name of wanted) {
  console.log(`\nproof:${name}`)
  const { code, seconds } = await run('npm', ['run', '--silent', `proof:${name}`])
  if (code !== 0) process.exitCode = 1
  ended.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${(seconds / 60).toFixed(1)} min)`)
}
console.log(`\n${ended.join('\n')}`)
