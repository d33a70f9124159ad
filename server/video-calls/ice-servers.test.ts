import { describe, expect, it } from 'vitest'
import { EnvironmentReader } from '../environment-reader.ts'
import { iceServers } from './ice-servers.ts'
import { readCallSettings } from './settings.ts'

function settingsOf(env: Record<string, string>) {
  const read = new EnvironmentReader(env)
  const settings = readCallSettings(read)
  read.finish()
  return settings
}
const until = new Date('2026-01-02T03:04:05Z')

describe('ICE servers of a call [PRIV-08]', () => {
  it('returns none unless the operator configures some', () => {
    expect(iceServers(settingsOf({}), 'fan', until)).toEqual([])
  })

  it('returns a password that expires with the call', () => {
    const settings = settingsOf({
      STUN_URLS: 'stun:stun.example.com',
      TURN_URLS: 'turn:turn.example.com:3478, turns:turn.example.com:5349',
      TURN_SECRET: 'north-pier',
    })
    expect(iceServers(settings, 'fan', until)).toEqual([
      { urls: ['stun:stun.example.com'] },
      {
        urls: ['turn:turn.example.com:3478', 'turns:turn.example.com:5349'],
        username: '1767323045:fan',
        // printf '1767323045:fan' | openssl dgst -sha1 -hmac north-pier -binary | base64
        credential: 'aJ0WgrKWrGxw2W/6khBHkmVlWho=',
      },
    ])
  })

  it('uses one login for all calls without a shared secret', () => {
    const settings = settingsOf({ TURN_URLS: 'turn:t.example.com', TURN_USERNAME: 'ovation', TURN_PASSWORD: 'pier' })
    expect(iceServers(settings, 'fan', until)).toEqual([
      { urls: ['turn:t.example.com'], username: 'ovation', credential: 'pier' },
    ])
  })

  it.each([
    [{ STUN_URLS: 'https://stun.example.com' }, /STUN_URLS/],
    [{ TURN_URLS: 'turn.example.com', TURN_SECRET: 'north-pier' }, /TURN_URLS/],
    [{ TURN_URLS: 'turn:turn.example.com' }, /TURN_SECRET/],
  ])('fails the start on invalid settings: %o', (env, complaint) => {
    expect(() => settingsOf(env)).toThrow(complaint)
  })
})
