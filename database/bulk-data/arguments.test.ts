import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'

const now = new Date('2026-05-04T17:30:00Z')
const parse = (text: string) => parseArguments(text.split(' ').filter(Boolean), now)

describe('the arguments of the seed', () => {
  it('have defaults, and end their data with today', () => {
    const { plan, databaseUrl, password } = parse('')
    expect(plan).toMatchObject({ creators: 50, fans: 1000, seed: 1, until: new Date('2026-05-04T00:00:00Z') })
    expect([databaseUrl, password]).toEqual([undefined, undefined])
  })

  it('are taken as given, and defaults are limited to what fits', () => {
    const { plan, databaseUrl } = parse('--creators 7 --seed 42 --until 2026-01-31 --database-url postgres://u@h/d')
    expect(plan).toMatchObject({ creators: 7, seed: 42, follows: 1510, until: new Date('2026-01-31T00:00:00Z') })
    expect(databaseUrl).toBe('postgres://u@h/d')
  })

  it.each([
    ['--creators ten', '--creators must be a whole number from 0 to 100000000, not "ten".'],
    ['--fans -1', '--fans'],
    ['--posts 1e9', '--posts must be a whole number'],
    ['--posts 200000000', '--posts must be a whole number from 0 to 100000000'],
    ['--until 2026-02-30', '--until must be a day such as 2026-01-31, not "2026-02-30".'],
    ['--until yesterday', '--until must be a day'],
    ['--database-url mysql://x', '--database-url must be a URL that begins with postgres://'],
    ['--password short', '--password must have at least 8 characters.'],
    ['--cretors 5', "Unknown option '--cretors'"],
    ['stray', 'stray'],
    ['--creators 0 --posts 5 --follows 0 --subscriptions 0 --messages 0', '--posts can be at most 0 here'],
    ['--creators 4 --fans 4 --follows 7', '--follows can be at most 6 here, not 7: a quarter of people × creators.'],
    ['--fans 10 --creators 10 --subscriptions 26 --follows 0', '--subscriptions can be at most 25 here, not 26'],
  ])('refuses %s and says what is wrong', (text, message) => {
    expect(() => parse(text)).toThrow(message)
  })

  it('never repeats an address that may contain a password', () => {
    expect(() => parse('--database-url http://user:secret@host')).not.toThrow('secret')
    expect(() => parse('--database-url http://user:secret@host')).toThrow('--database-url')
  })
})
