import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

type Answer = { status: number; location: string | null; cache: string | null; body: string }

/** Sends the path as it is: `fetch` would tidy it. */
function ask(path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url)
    const sent = request({ hostname, port, path, method }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('end', () => {
        const { location = null, 'cache-control': cache = null } = response.headers
        resolve({ status: response.statusCode ?? 0, location, cache, body })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const kept = { status: 308, cache: 'public, max-age=86400' }

describe('a short address', () => {
  it.each([
    ['/@mara', '/profile/mara'],
    ['/@Mara', '/profile/mara'],
    ['/@mara/', '/profile/mara'],
    ['/%40mara', '/profile/mara'],
    ['/@mara?tab=subscribe&ref=REF1', '/profile/mara?tab=subscribe&ref=REF1'],
    ['/@mara?next=//elsewhere.example', '/profile/mara?next=//elsewhere.example'],
    [`/@mara?q=${'a'.repeat(5000)}`, `/profile/mara?q=${'a'.repeat(5000)}`],
  ])('is answered with 308 to the canonical one: %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) expect(await ask(path, method)).toMatchObject({ ...kept, location, body: '' })
  })

  it('needs no such profile: whether there is one, the canonical address says', async () => {
    expect(await ask('/@nobody-has-this')).toMatchObject({ status: 308, location: '/profile/nobody-has-this' })
  })

  it.each([
    '/@',
    '/@/elsewhere.example',
    '/@//elsewhere.example',
    '/@\\elsewhere.example',
    '/@elsewhere.example',
    '//elsewhere.example/@mara',
    '/@mara%2F..%2Fposts',
    '/@mara%0d%0aset-cookie:%20a=b',
    '/@mara%00',
    `/@${'a'.repeat(5000)}`,
    '/@mara/posts',
  ])('never leads elsewhere: %s', async (path) => {
    const { status, location } = await ask(path)
    expect(location).toBeNull()
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('is one for reading', async () => {
    expect(await ask('/@mara', 'POST')).toMatchObject({ status: 404, location: null })
  })
})

describe('the address of a former username', () => {
  const rename = async (person: Person, username: string) => {
    const { error } = await person.client.from('profiles').update({ username }).eq('id', person.profileId)
    expect(error).toBeNull()
  }
  const name = () => `n${randomUUID().slice(0, 12)}`

  it('is answered with 302 to the present one, which browsers ask for again each time', async () => {
    const person = await gateway.signUp()
    const present = name()
    await rename(person, present)
    const location = `/profile/${present}`
    for (const path of [person.username, person.username.toUpperCase(), `${person.username}//`])
      expect(await ask(`/profile/${path}`)).toMatchObject({ status: 302, location, cache: 'no-cache', body: '' })
    expect(await ask(`/profile/${person.username}?tab=subscribe`, 'HEAD')).toMatchObject({
      status: 302,
      location: `${location}?tab=subscribe`,
    })
    expect((await ask(`/@${person.username}`)).location).toBe(`/profile/${person.username}`)
    // The present address is the page, or that it is being built.
    expect((await ask(location)).location).toBeNull()
  })

  it('leads on after a second change, and nowhere once the name is taken back', async () => {
    const person = await gateway.signUp()
    const [second, third] = [name(), name()]
    await rename(person, second)
    await rename(person, third)
    for (const former of [person.username, second])
      expect((await ask(`/profile/${former}`)).location).toBe(`/profile/${third}`)
    await rename(person, person.username)
    expect((await ask(`/profile/${person.username}`)).location).toBeNull()
    expect((await ask(`/profile/${third}`)).location).toBe(`/profile/${person.username}`)
  })

  it('leads nowhere if the profile is private or deleted, or after 90 days', async () => {
    const person = await gateway.signUp()
    await rename(person, name())
    const led = async () => (await ask(`/profile/${person.username}`)).location !== null
    const set = (column: string, value: string) =>
      gateway.query(`update private.profiles set ${column} = ${value} where id = $1`, [person.profileId])
    expect(await led()).toBe(true)
    await set('is_private', 'true')
    expect(await led()).toBe(false)
    await set('is_private', 'false')
    expect(await led()).toBe(true)
    await gateway.query('update public.former_usernames set released_at = now() - $2::interval where profile_id = $1', [
      person.profileId,
      '91 days',
    ])
    expect(await led()).toBe(false)
    const other = await gateway.signUp()
    await rename(other, name())
    await gateway.query('select private.delete_account($1)', [other.userId])
    expect((await ask(`/profile/${other.username}`)).location).toBeNull()
  })

  it('is rejected at sign-up as a taken one', async () => {
    const person = await gateway.signUp()
    await rename(person, name())
    await expect(gateway.signUp({ username: person.username, email: `${name()}@example.com` })).rejects.toMatchObject({
      code: 'username_taken',
    })
  })

  it.each(['/profile/%2F%2Felsewhere.example', `/profile/${'a'.repeat(5000)}`, '/profile/a%00b', '/profile/..%2F..'])(
    'leads nowhere from %s',
    async (path) => {
      expect((await ask(path)).location).toBeNull()
    },
  )
})
