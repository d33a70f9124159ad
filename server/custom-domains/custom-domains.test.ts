import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CustomDomains } from '../http/custom-domains.ts'
import { call, refusalOf } from '../payments/testing/shop.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { checkVerifiedDomains } from './check-domain.ts'

let gateway: TestGateway
let names: NameServer
let creator: Person
let domain: string
beforeAll(async () => {
  names = await NameServer.start()
  gateway = await startGateway({ env: { CUSTOM_DOMAINS: '1', DNS_SERVERS: `127.0.0.1:${names.port}` } })
})
afterAll(async () => {
  await gateway?.close()
  names?.close()
})
beforeEach(async () => {
  names.records.clear()
  names.isSilent = false
  creator = await buildCreator(gateway)
  domain = `${creator.username.replaceAll('_', '-')}.example`
})

const verify = (who = creator) => call<{ verified: boolean }>(who, 'verify-custom-domain', {})

/** @returns the text of the record that proves the domain. */
async function add(who = creator): Promise<string> {
  const { data } = await who.client
    .from('custom_domains')
    .insert({ creator_id: who.profileId, domain })
    .select('record')
    .single()
    .throwOnError()
  return data.record
}
const putUp = (...texts: string[]) => names.records.set(`_ovation.${domain}`, texts)
/** As a process that has looked nothing up yet. */
const usernameAt = (host: string) => new CustomDomains(gateway.services).usernameAt(host)
const stateOf = async (who = creator) =>
  (
    await gateway.query<{ verified_at: Date | null; missing_since: Date | null; is_due: boolean }>(
      `select verified_at, missing_since, checked_at < now() - interval '20 hours' as is_due
       from public.custom_domains where creator_id = $1`,
      [who.profileId],
    )
  )[0]
const age = (column: string, interval: string) =>
  gateway.query(`update public.custom_domains set ${column} = now() - $2::interval where creator_id = $1`, [
    creator.profileId,
    interval,
  ])

describe('a custom domain', () => {
  it('leads to the profile once its DNS record is there, and not before [PAGE-02]', async () => {
    const record = await add()
    expect(record).toMatch(/^ovation-domain=[0-9a-f]{32}$/)
    expect(await verify()).toEqual({ verified: false })
    expect(await usernameAt(domain)).toBeNull()
    putUp('v=spf1 -all', 'ovation-domain=another')
    expect(await verify()).toEqual({ verified: false })
    putUp('v=spf1 -all', record)
    expect(await verify()).toEqual({ verified: true })
    for (const host of [domain, domain.toUpperCase(), `${domain}:8443`, `${domain}.`])
      expect(await usernameAt(host), host).toBe(creator.username)
    for (const host of [`www.${domain}`, 'localhost', '127.0.0.1', '', 'a b', new URL(gateway.url).host])
      expect(await usernameAt(host), host).toBeNull()
  })

  it('belongs to the creator who proves it last [PAGE-02]', async () => {
    putUp(await add())
    await verify()
    const buyer = await buildCreator(gateway)
    const record = await add(buyer)
    expect(await verify(buyer)).toEqual({ verified: false })
    expect(await usernameAt(domain)).toBe(creator.username)
    putUp(record)
    expect(await verify(buyer)).toEqual({ verified: true })
    expect(await usernameAt(domain)).toBe(buyer.username)
    expect(await stateOf()).toMatchObject({ verified_at: null })
  })

  it('keeps leading there for three days without its record, and is back as soon as it is found [PAGE-02]', async () => {
    const record = await add()
    putUp(record)
    await verify()
    names.records.clear()
    await age('checked_at', '21 hours')
    await checkVerifiedDomains(gateway.services)
    expect((await stateOf())?.missing_since).toBeInstanceOf(Date)
    expect(await usernameAt(domain)).toBe(creator.username)
    await age('checked_at', '21 hours')
    await age('missing_since', '73 hours')
    await checkVerifiedDomains(gateway.services)
    expect(await usernameAt(domain)).toBeNull()
    putUp(record)
    expect(await verify()).toEqual({ verified: true })
    expect(await stateOf()).toMatchObject({ missing_since: null })
  })

  it('stays as it is while no name server answers [PAGE-02]', async () => {
    putUp(await add())
    await verify()
    names.isSilent = true
    await age('checked_at', '21 hours')
    await checkVerifiedDomains(gateway.services)
    // It has had its turn, so that the others get theirs.
    expect(await stateOf()).toMatchObject({ missing_since: null, verified_at: expect.any(Date), is_due: false })
    expect(await refusalOf(creator, 'verify-custom-domain', {})).toMatchObject({
      status: 502,
      body: { code: 'domain_unreadable' },
    })
  })

  it('leads nowhere once its creator is suspended or has left, or has removed it [PAGE-02]', async () => {
    putUp(await add())
    await verify()
    await gateway.query(
      `update private.profiles set suspended_at = now(), suspension_reason = 'fraud', was_private = false where id = $1`,
      [creator.profileId],
    )
    expect(await usernameAt(domain)).toBeNull()
    await gateway.query(
      'update private.profiles set suspended_at = null, suspension_reason = null, was_private = null where id = $1',
      [creator.profileId],
    )
    expect(await usernameAt(domain)).toBe(creator.username)
    await creator.client.from('custom_domains').delete().eq('creator_id', creator.profileId).throwOnError()
    expect(await usernameAt(domain)).toBeNull()
  })

  it('needs an approved creator, a domain, and one that is not this site itself [PAGE-02]', async () => {
    const fan = await gateway.signUp()
    expect(await refusalOf(fan, 'verify-custom-domain', {})).toMatchObject({ status: 403 })
    expect(await refusalOf(creator, 'verify-custom-domain', {})).toMatchObject({
      status: 404,
      body: { code: 'domain_missing' },
    })
    await add()
    const siteUrl = vi.spyOn(gateway.services, 'siteUrl').mockReturnValue(`https://${domain}`)
    expect(await refusalOf(creator, 'verify-custom-domain', {})).toMatchObject({
      status: 409,
      body: { code: 'domain_is_ours' },
    })
    siteUrl.mockRestore()
  })

  it('can be asked for by a proxy that needs a certificate [PAGE-02]', async () => {
    const ask = async () => (await fetch(`${gateway.url}/custom-domains/check?domain=${domain}`)).status
    putUp(await add())
    await verify()
    expect(await ask()).toBe(200)
    expect((await fetch(`${gateway.url}/custom-domains/check?domain=other.example`)).status).toBe(404)
    expect((await fetch(`${gateway.url}/custom-domains/check`)).status).toBe(404)
  })
})

it('is not offered where the operator does not allow it [PAGE-02]', async () => {
  const without = await startGateway()
  try {
    const person = await buildCreator(without)
    expect(await refusalOf(person, 'verify-custom-domain', {})).toMatchObject({
      status: 409,
      body: { code: 'custom_domains_disabled' },
    })
    const config = await (await fetch(`${without.url}/app-config.json`)).json()
    expect(config).toMatchObject({ hasCustomDomains: false })
  } finally {
    await without.close()
  }
})

/** A name server that knows texts only (RFC 1035). */
class NameServer {
  readonly records = new Map<string, readonly string[]>()
  isSilent = false
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (query, peer) => {
      if (!this.isSilent) socket.send(this.#answer(query), peer.port, peer.address)
    })
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket)
  }

  get port(): number {
    return (this.#socket.address() as AddressInfo).port
  }

  close() {
    this.#socket.close()
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(12, at + 5)
    const texts = this.records.get(labels.join('.')) ?? []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2) // an answer, or no such name
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(texts.length, 6)
    return Buffer.concat([header, question, ...texts.map(answerOf)])
  }
}

function answerOf(text: string): Buffer {
  // The name of the question, TXT, IN, 60 seconds, and the length of what follows.
  const head = Buffer.from('c00c001000010000003c0000', 'hex')
  head.writeUInt16BE(text.length + 1, 10)
  return Buffer.concat([head, Buffer.from([text.length]), Buffer.from(text, 'latin1')])
}
