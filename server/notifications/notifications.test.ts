import { existsSync } from 'node:fs'
import { importJWK, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listOutbox } from '../mail/outbox.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { PushBrowser } from '../testing/push-browser.ts'
import { deliverEmails } from './deliver-emails.ts'
import { deliverPushes } from './deliver-pushes.ts'
import { pathOf } from './notification-email.ts'

let gateway: TestGateway
let ada: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { NOTIFICATION_MAIL_DELAY_SECONDS: '0' } })
})
afterAll(() => gateway.close())
beforeEach(async () => {
  ada = await gateway.signUp()
})

const notify = (person: Person, type: string, title: string, message = '', data: object = {}) =>
  gateway.query<{ id: string }>('select private.notify($1, $2, $3, $4, $5) as id', [
    person.profileId,
    type,
    title,
    message,
    data,
  ])
const mailsTo = async ({ email }: Person) => (await listOutbox(gateway.dataDir)).filter(({ to }) => to === email)
const choose = async (person: Person, notifications: object) => {
  const { error } = await person.client.from('user_settings').update({ notifications }).eq('user_id', person.profileId)
  expect(error).toBeNull()
}
const waiting = (person: Person) =>
  gateway.query('select channel, attempts from private.notification_deliveries where user_id = $1 order by 1', [
    person.profileId,
  ])

describe('notification emails', () => {
  it('list unseen notifications in one email, once [SET-16, GEN-16]', async () => {
    await notify(ada, 'tip', 'Finn tipped you $5.00', 'You earned $4.50.')
    await notify(ada, 'subscription', 'Finn subscribed to Gold', 'You earned $9.00.', { post_id: ada.userId })
    await deliverEmails(gateway.services)
    await deliverEmails(gateway.services)
    const mails = await mailsTo(ada)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('2 notifications on Ovation')
    expect(mails[0]?.text).toContain('Finn tipped you $5.00. You earned $4.50.')
    expect(mails[0]?.text).toContain('Finn subscribed to Gold. You earned $9.00.')
    expect(await waiting(ada)).toEqual([])
  })

  it('say what one notification is about in the subject, and the rest in the text [LOOP-17, SET-16]', async () => {
    await notify(ada, 'tip', 'Finn tipped you $5.00', 'You earned $4.50.')
    await deliverEmails(gateway.services)
    await notify(ada, 'message', 'Finn sent you a message')
    await deliverEmails(gateway.services)
    const mails = await mailsTo(ada)
    const texts = mails.map(({ subject, text }) => [subject, text.split('\n')[0]])
    expect(texts).toHaveLength(2)
    expect(texts).toContainEqual(['Finn tipped you $5.00 · Ovation', 'You earned $4.50.'])
    expect(texts).toContainEqual(['Finn sent you a message · Ovation', 'Finn sent you a message'])
  })

  it('leave out notifications that were seen in the app first', async () => {
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await ada.client.from('notifications').update({ is_read: true }).eq('user_id', ada.profileId)
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toEqual([])
    expect(await waiting(ada)).toEqual([])
  })

  it('skip kinds that are off, never go out for a like alone, and stop when the channel is off [SET-16, SET-17]', async () => {
    await choose(ada, { tips: false })
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await notify(ada, 'like', 'Finn liked your post')
    const silent = await gateway.signUp()
    await choose(silent, { email: false })
    await notify(silent, 'message', 'Finn sent you a message')
    const hesitant = await gateway.signUp()
    await notify(hesitant, 'message', 'Finn sent you a message') // and then turns it off
    await choose(hesitant, { messages: false })
    await deliverEmails(gateway.services)
    for (const person of [ada, silent, hesitant]) {
      expect(await mailsTo(person)).toEqual([])
      expect(await waiting(person)).toEqual([])
    }
  })

  it('go out once a day, with likes, to users who chose the digest', async () => {
    await choose(ada, { digest: true })
    await notify(ada, 'like', 'Finn liked your post')
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toEqual([])
    const [due] = await gateway.query<{ due: string }>(
      `select to_char(min(due_at) at time zone 'UTC', 'HH24:MI') as due from private.notification_deliveries where user_id = $1`,
      [ada.profileId],
    )
    expect(due).toEqual({ due: '08:00' })
    await gateway.query('update private.notification_deliveries set due_at = now() where user_id = $1', [ada.profileId])
    await deliverEmails(gateway.services)
    expect((await mailsTo(ada)).map(({ subject }) => subject)).toEqual(['2 notifications on Ovation'])
  })

  it.each([
    ['00:01', '2026-03-02 08:00'],
    ['07:59', '2026-03-02 08:00'],
    ['08:00', '2026-03-03 08:00'],
    ['23:59', '2026-03-03 08:00'],
  ])('of %s come in the digest of the next morning [SET-16]', async (time, due) => {
    const [next] = await gateway.query(
      `select to_char(private.next_digest($1::timestamptz) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due`,
      [`2026-03-02 ${time}Z`],
    )
    expect(next).toEqual({ due })
  })

  it("don't go to an unconfirmed address", async () => {
    await gateway.query('update auth.users set email_confirmed_at = null where id = $1', [ada.userId])
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toEqual([])
    expect(await waiting(ada)).toEqual([])
  })

  it('are retried with growing pauses when the mail server rejects them', async () => {
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    const down = {
      ...gateway.services,
      mailer: { ...gateway.services.mailer, send: () => Promise.reject(new Error('down')) },
    }
    await deliverEmails(down)
    expect(await waiting(ada)).toEqual([{ channel: 'email', attempts: 1 }])
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toEqual([]) // not before it is due
    await gateway.query('update private.notification_deliveries set due_at = now() where user_id = $1', [ada.profileId])
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toHaveLength(1)
  })

  it('have an unsubscribe link that works signed out: opening it asks, the button or the mail program confirms [SET-16]', async () => {
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await deliverEmails(gateway.services)
    const [mail] = await mailsTo(ada)
    const link = /Unsubscribe: (\S+)/.exec(mail?.text ?? '')?.[1] ?? expect.unreachable()
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const wantsMail = async () =>
      (await ada.client.from('user_settings').select('notifications').single()).data?.notifications.email
    const opened = await fetch(link)
    expect(opened.status).toBe(200)
    expect(await opened.text()).toContain('<button>Unsubscribe</button>')
    expect(await wantsMail()).toBe(true)
    const pressed = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(await pressed.text()).toContain("You're unsubscribed")
    expect(await wantsMail()).toBe(false)
    const forged = await fetch(link.slice(0, -3), { method: 'POST' })
    expect(forged.status).toBe(400)
  })
})

describe('push notifications', () => {
  let browser: PushBrowser
  beforeEach(async () => {
    browser = await new PushBrowser().open()
  })
  afterEach(() => browser.close())
  const subscribe = async (person: Person, to = browser) => {
    const { error } = await person.client.rpc('save_push_subscription', { ...to.subscription, user_agent: 'Test' })
    expect(error).toBeNull()
  }
  const devices = async (person: Person) => (await person.client.rpc('list_push_subscriptions')).data

  it('reach the browser at once, encrypted for it and signed by us, with the screen to open [SET-16, D9]', async () => {
    await subscribe(ada)
    await notify(ada, 'tip', 'Finn tipped you $5.00', 'You earned $4.50.', { post_id: ada.userId })
    // No one called the job: the database triggered it.
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(1)
    const [{ payload, headers } = expect.unreachable()] = browser.received
    expect(payload).toMatchObject({
      title: 'Finn tipped you $5.00',
      body: 'You earned $4.50.',
      url: `/post/${ada.userId}`,
    })
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
    expect(key).toBe(gateway.secrets.vapidPublicKey)
    const point = Buffer.from(key, 'base64url')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    const { payload: claims } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: browser.origin })
    expect(claims.sub).toMatch(/^(mailto|https):/)
  })

  it('open what they are about: a reminder opens its call, other booking news the calendar [PRIV-04]', () => {
    const booking_id = crypto.randomUUID()
    expect(pathOf({ data: { booking_id, call: true } })).toBe(`/private-sessions/${booking_id}`)
    expect(pathOf({ data: { booking_id } })).toBe('/private-sessions')
    expect(pathOf({ data: { post_id: booking_id } })).toBe(`/post/${booking_id}`)
    expect(pathOf({ data: { gift_code: 'abc', profile_id: booking_id } })).toBe('/gift/abc')
    expect(pathOf({ data: { group: 'application' } })).toBe('/admin')
    expect(pathOf({ data: { group: 'support_request' } })).toBe('/admin?tab=support')
    expect(pathOf({ data: {} })).toBe('/notifications')
  })

  it('and emails stop for each of the three kinds, and in each channel, while it is off [SET-16, SET-17]', async () => {
    const kinds = ['message', 'tip', 'subscription']
    const deliver = async () => {
      for (const kind of kinds) await notify(ada, kind, `New ${kind}`)
      await deliverEmails(gateway.services)
      await deliverPushes(gateway.services)
      return [(await mailsTo(ada)).length, browser.received.length]
    }
    await subscribe(ada)
    await choose(ada, { messages: false, tips: false, subscriptions: false })
    expect(await deliver()).toEqual([0, 0])
    await choose(ada, { messages: true, tips: true, subscriptions: true, email: false, push: false })
    expect(await deliver()).toEqual([0, 0])
    await choose(ada, { email: true })
    expect(await deliver()).toEqual([1, 0])
    await choose(ada, { email: false, push: true })
    for (const kind of kinds) await notify(ada, kind, `New ${kind}`)
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(kinds.length)
    await deliverEmails(gateway.services)
    expect(await mailsTo(ada)).toHaveLength(1)
  })

  it('skip kinds that are off, and stop when the channel is off [SET-16, SET-17]', async () => {
    await subscribe(ada)
    await choose(ada, { tips: false })
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await choose(ada, { push: false })
    await notify(ada, 'message', 'Finn sent you a message')
    await deliverPushes(gateway.services)
    expect(browser.received).toEqual([])
    expect((await waiting(ada)).filter(({ channel }) => channel === 'push')).toEqual([])
  })

  it('delete a subscription that is gone, and retry a push service that is busy', async () => {
    await subscribe(ada)
    browser.status = 503
    await notify(ada, 'tip', 'Finn tipped you $5.00')
    await expect.poll(() => waiting(ada)).toContainEqual({ channel: 'push', attempts: 1 })
    expect(await devices(ada)).toHaveLength(1)
    browser.status = 410
    await gateway.query('update private.notification_deliveries set due_at = now() where user_id = $1', [ada.profileId])
    await deliverPushes(gateway.services)
    await expect.poll(() => devices(ada)).toEqual([])
    expect((await waiting(ada)).filter((row) => row.channel === 'push')).toEqual([])
  })

  it("belong to one user: the next user of the browser takes it over, and nobody sees or removes another user's", async () => {
    await subscribe(ada)
    const [{ id } = expect.unreachable()] = (await devices(ada)) as { id: string }[]
    const finn = await gateway.signUp()
    expect((await finn.client.rpc('remove_push_subscription', { subscription_id: id })).data).toBe(false)
    expect(await devices(finn)).toEqual([])
    await subscribe(finn)
    expect(await devices(ada)).toEqual([])
    expect(await devices(finn)).toHaveLength(1)
    expect((await gateway.anon.rpc('save_push_subscription', browser.subscription)).error?.code).toBe('42501')
  })

  it('end with the session in which they were enabled [AUTH-24]', async () => {
    await subscribe(ada)
    await ada.client.auth.signOut({ scope: 'local' })
    expect(
      await gateway.query('select id from private.push_subscriptions where user_id = $1', [ada.profileId]),
    ).toEqual([])
  })
})

it('publishes the public half of its VAPID keys', async () => {
  const config = (await (await fetch(`${gateway.url}/app-config.json`)).json()) as { pushKey: string }
  expect(config.pushKey).toBe(gateway.secrets.vapidPublicKey)
  expect(Buffer.from(config.pushKey, 'base64url')).toHaveLength(65)
})

it('can be installed: the manifest has the operator’s name and icons', async () => {
  const response = await fetch(`${gateway.url}/manifest.webmanifest`)
  expect(response.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await response.json()) as { icons: { src: string }[] }
  expect(manifest).toMatchObject({ name: 'Ovation', display: 'standalone', start_url: '/' })
  expect(manifest.icons).not.toEqual([])
  for (const { src } of manifest.icons)
    expect(existsSync(new URL(`../../web/public${src}`, import.meta.url)), src).toBe(true)
})
