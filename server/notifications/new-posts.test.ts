import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildMailer } from '../mail/mailer.ts'
import { listOutbox } from '../mail/outbox.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import type { Statement } from '../postgres/sql.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { PushBrowser } from '../testing/push-browser.ts'
import { SmtpServer } from '../testing/smtp-server.ts'
import { deliverEmails } from './deliver-emails.ts'
import { deliverPushes } from './deliver-pushes.ts'

let gateway: TestGateway
let creator: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { NOTIFICATION_MAIL_DELAY_SECONDS: '0' } })
  // Its run each minute would send what a test means to send.
  await gateway.query(`delete from pgboss.schedule where name = 'notification-mails'`)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  creator = await buildCreator(gateway)
})

const publish = (columns: Record<string, unknown> = {}) =>
  creator.client
    .from('posts')
    .insert({ creator_id: creator.profileId, title: 'The pier', content: 'Fog, again.', ...columns })
    .throwOnError()
const choose = (person: Person, notifications: object) =>
  person.client.from('user_settings').update({ notifications }).eq('user_id', person.profileId).throwOnError()
async function signUpFan(notifications: object) {
  const fan = await gateway.signUp()
  await choose(fan, notifications)
  await fan.client
    .from('follows')
    .insert({ follower_id: fan.profileId, following_id: creator.profileId })
    .throwOnError()
  return fan
}
const eagerFan = () => signUpFan({ postEmails: 'immediately' })
const mailsTo = async ({ email }: Person) =>
  (await listOutbox(gateway.dataDir, 1000)).filter(({ to }) => to === email).reverse()
const endPause = () => gateway.query('update private.post_announcements set due_at = now() where due_at is not null')
const retryNow = () => gateway.query('update private.post_announcement_retries set due_at = now()')
/** Has the next such statements fail, as they do on a busy server. */
function failNext(matches: (statement: Statement) => boolean, times = 1, { service } = gateway.services.database) {
  vi.restoreAllMocks()
  const { rows } = service
  let left = times
  vi.spyOn(service, 'rows').mockImplementation((statement) => {
    if (left === 0 || !matches(statement)) return rows(statement)
    left -= 1
    return Promise.reject(new DatabaseFailure({ kind: 'overloaded' }))
  })
}
const findsAddress =
  ({ profileId }: Person) =>
  ({ text, values }: Statement) =>
    text.includes('join auth.users') && values.flat().includes(profileId)
const takesFans =
  () =>
  ({ text, values }: Statement) =>
    text.includes('private.take_post_announcements') && values.includes('email')
afterEach(() => void vi.restoreAllMocks())
/** Makes the daily email of everyone due, about posts older than a minute. */
async function morning() {
  await gateway.query(`update private.new_posts set published_at = published_at - interval '2 minutes'`)
  await gateway.query(`update public.follows set created_at = created_at - interval '1 day'`)
  await gateway.query(
    `update private.user_settings set posts_digested_until = posts_digested_until - interval '3 minutes'`,
  )
  await gateway.query(`update private.digest_zones set next_at = now() where time_zone = 'UTC'`)
}

describe('emails about new posts', () => {
  it('say at once what is new, with a link to it [LOOP-02]', async () => {
    const fan = await eagerFan()
    await publish()
    await deliverEmails(gateway.services)
    await deliverEmails(gateway.services)
    const [mail, ...others] = await mailsTo(fan)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`${creator.username} published "The pier"`)
    expect(mail?.text).toContain('The pier: Fog, again.')
    expect(mail?.text).toMatch(/See the post:\n\S+\/post\//)
    expect(mail?.text).toContain('because you follow or subscribe to these creators')
  })

  it('group posts that come close together [LOOP-02]', async () => {
    const fan = await eagerFan()
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await publish({ title })
    await deliverEmails(gateway.services)
    const [mail, ...others] = await mailsTo(fan)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`${creator.username} published 5 posts`)
    expect(mail?.text).toMatch(/Five: Fog, again\.\n\nFour: Fog, again\.\n\nThree: Fog, again\.\n\nAnd 2 more\./)
    expect(mail?.text).toContain(`/profile/${creator.username}`)
  })

  it('contain of a locked post what everyone sees of it [LOOP-02, POST-11]', async () => {
    const fan = await eagerFan()
    await publish({ content: `${'a'.repeat(100)}secret`, post_type: 'ppv', ppv_price: 500 })
    await deliverEmails(gateway.services)
    const [mail] = await mailsTo(fan)
    expect(mail?.text).toContain(`The pier: ${'a'.repeat(100)}…`)
    expect(mail?.text).not.toContain('secret')
  })

  it('end a text with "…" only if it goes on [LOOP-02]', async () => {
    const fan = await eagerFan()
    await publish({ content: '🎣'.repeat(60) })
    await deliverEmails(gateway.services)
    const [mail] = await mailsTo(fan)
    expect(mail?.text).toContain(`The pier: ${'🎣'.repeat(60)}\n`)
  })

  it('let all others go first [LOOP-02]', async () => {
    const fans = await Promise.all(Array.from({ length: 3 }, eagerFan))
    const order: string[] = []
    const mailer = {
      ...gateway.services.mailer,
      send: async ({ to, subject }: { to: string; subject: string }) => {
        if (fans.some(({ email }) => email === to)) order.push(subject.replace(/ · .*/, ''))
      },
    }
    await publish()
    await gateway.query(`select private.notify($1, 'tip', 'Finn tipped you $5.00', '')`, [fans[0]?.profileId])
    await deliverEmails({ ...gateway.services, mailer })
    expect(order).toEqual(['Finn tipped you $5.00', ...fans.map(() => `${creator.username} published "The pier"`)])
  })

  it('stop at a mail server that rejects them, and lose none [LOOP-02]', async () => {
    const fans = await Promise.all(Array.from({ length: 4 }, eagerFan))
    let attempts = 0
    const down = {
      ...gateway.services,
      mailer: {
        ...gateway.services.mailer,
        send: ({ to }: { to: string }) => {
          if (fans.some(({ email }) => email === to)) attempts += 1
          return Promise.reject(new Error('down'))
        },
      },
    }
    await publish()
    await deliverEmails(down)
    expect(attempts).toBe(1)
    await deliverEmails(gateway.services)
    await retryNow()
    await deliverEmails(gateway.services)
    for (const fan of fans) expect(await mailsTo(fan)).toHaveLength(1)
  })

  it("aren't held up by mailboxes that don't exist [LOOP-02]", async () => {
    const gone = await Promise.all(Array.from({ length: 3 }, eagerFan))
    const fan = await eagerFan()
    const smtp = new SmtpServer((recipient) => gone.some(({ email }) => email === recipient))
    try {
      const config = { ...gateway.services.config, smtpUrl: await smtp.open() }
      const services = { ...gateway.services, mailer: buildMailer(config) }
      const received = () => smtp.received.filter((mail) => mail.includes(`To: ${fan.email}`)).length
      await publish()
      await deliverEmails(services)
      expect(received()).toBe(1)
      await publish()
      await endPause()
      await retryNow()
      await deliverEmails(services)
      expect(received()).toBe(2)
      const waiting = await gateway.query('select user_id, attempts from private.post_announcement_retries')
      for (const { profileId } of gone) expect(waiting).toContainEqual({ user_id: profileId, attempts: 2 })
    } finally {
      smtp.close()
    }
  })

  it('are not lost when a statement fails after they were taken [LOOP-02]', async () => {
    const fan = await eagerFan()
    await publish()
    failNext(findsAddress(fan))
    await expect(deliverEmails(gateway.services)).rejects.toThrow(DatabaseFailure)
    await retryNow()
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toHaveLength(1)
  })

  it('are not lost when the database is too busy to take them back at once [LOOP-02]', async () => {
    const fan = await eagerFan()
    await publish()
    failNext(({ text }) => text.includes('private.retry_post_announcement'), 2)
    const down = { ...gateway.services.mailer, send: () => Promise.reject(new Error('down')) }
    await deliverEmails({ ...gateway.services, mailer: down })
    await retryNow()
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toHaveLength(1)
  })

  it("don't go to an unconfirmed address [LOOP-02]", async () => {
    const fan = await eagerFan()
    await gateway.query('update auth.users set email_confirmed_at = null where id = $1', [fan.userId])
    await publish()
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toEqual([])
  })

  it('come once a day by default, from all creators in one [LOOP-02]', async () => {
    const fan = await signUpFan({})
    await publish()
    const first = creator
    creator = await buildCreator(gateway)
    await fan.client
      .from('follows')
      .insert({ follower_id: fan.profileId, following_id: creator.profileId })
      .throwOnError()
    await publish({ title: 'Bread' })
    await publish({ title: 'Butter' })
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toEqual([])
    await morning()
    await deliverEmails(gateway.services)
    await morning()
    await deliverEmails(gateway.services)
    const [mail, ...others] = await mailsTo(fan)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`New posts from ${creator.username} and ${first.username}`)
    expect(mail?.text).toContain(`${creator.username} published 2 posts.`)
    expect(mail?.text).toContain(`${first.username} published "The pier".`)
  })

  it.each([
    ['finding addresses', findsAddress],
    ['finding those who get theirs at once', takesFans],
  ])('come with the next daily email if %s fails [LOOP-02]', async (_what, failing) => {
    const fan = await signUpFan({})
    await publish()
    await morning()
    failNext(failing(fan))
    await expect(deliverEmails(gateway.services)).rejects.toThrow(DatabaseFailure)
    await gateway.query(`update private.digest_zones set next_at = now(), position = default where time_zone = 'UTC'`)
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toHaveLength(1)
  })

  it('are in the daily digest once, whatever fails before or after it [LOOP-02, SET-16]', async () => {
    const fan = await signUpFan({ digest: true })
    await publish()
    await gateway.query(`select private.notify($1, 'tip', 'Finn tipped you $5.00', '')`, [fan.profileId])
    await morning()
    await gateway.query(`update private.digest_zones set next_at = now() + interval '1 day' where time_zone = 'UTC'`)
    const due = () =>
      gateway.query<{ id: string }>(
        `update private.notification_deliveries set due_at = now() where user_id = $1 and channel = 'email'
         returning notification_id as id`,
        [fan.profileId],
      )
    const [tip] = await due()
    failNext(findsAddress(fan))
    await expect(deliverEmails(gateway.services)).rejects.toThrow(DatabaseFailure)
    await due()
    failNext(({ text, values }) => text.includes('private.finish_deliveries') && values.flat().includes(tip?.id))
    await deliverEmails(gateway.services)
    await due()
    await deliverEmails(gateway.services)
    const subjects = (await mailsTo(fan)).map(({ subject }) => subject)
    expect(subjects).toEqual(['2 notifications on Ovation', 'Finn tipped you $5.00 · Ovation'])
  })

  it('are part of the daily digest for users who chose it: one email a day [LOOP-02, SET-16]', async () => {
    const fan = await signUpFan({ digest: true })
    await publish()
    await gateway.query(`select private.notify($1, 'tip', 'Finn tipped you $5.00', 'You earned $4.50.')`, [
      fan.profileId,
    ])
    await morning()
    await gateway.query('update private.notification_deliveries set due_at = now()')
    await deliverEmails(gateway.services)
    const [mail, ...others] = await mailsTo(fan)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('2 notifications on Ovation')
    expect(mail?.text).toContain('Finn tipped you $5.00. You earned $4.50.')
    expect(mail?.text).toContain(`${creator.username} published "The pier"`)
  })

  it('have an unsubscribe link that turns off these alone [LOOP-02, SET-16]', async () => {
    const fan = await eagerFan()
    await publish()
    await deliverEmails(gateway.services)
    const [mail] = await mailsTo(fan)
    const link = /Unsubscribe: (\S+)/.exec(mail?.text ?? '')?.[1] ?? expect.unreachable()
    expect(mail?.headers).toMatchObject({ 'List-Unsubscribe': `<${link}>` })
    expect(await (await fetch(link)).text()).toContain('will stop emailing you about new posts')
    expect(await (await fetch(link, { method: 'POST' })).text()).toContain("won't get any more emails about new posts")
    const { data } = await fan.client.from('user_settings').select('notifications').single().throwOnError()
    expect(data.notifications).toMatchObject({ email: true, postEmails: 'none' })
    await publish()
    await endPause()
    await deliverEmails(gateway.services)
    expect(await mailsTo(fan)).toHaveLength(1)
  })
})

describe('push notifications about new posts', () => {
  let browser: PushBrowser
  beforeEach(async () => {
    browser = await new PushBrowser().open()
  })
  afterEach(() => browser.close())
  async function pushedFan() {
    const fan = await signUpFan({})
    await fan.client.rpc('save_push_subscription', browser.subscription).throwOnError()
    return fan
  }

  it('arrive at once, grouped, with the screen to open [LOOP-02]', async () => {
    await pushedFan()
    await publish()
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(1)
    expect(browser.received[0]?.payload).toMatchObject({
      title: `${creator.username} published "The pier"`,
      body: 'Fog, again.',
      url: expect.stringMatching(/^\/post\//),
    })
    await publish({ title: 'Second' })
    await publish({ title: 'Third' })
    await endPause()
    await deliverPushes(gateway.services)
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(2)
    expect(browser.received[1]?.payload).toMatchObject({
      title: `${creator.username} published 2 posts`,
      body: 'Third: Fog, again.\nSecond: Fog, again.',
      url: `/profile/${creator.username}`,
    })
  })

  it('are retried when the push service is busy [LOOP-02]', async () => {
    await pushedFan()
    browser.status = 503
    await publish()
    const waiting = () => gateway.query(`select attempts from private.post_announcement_retries where channel = 'push'`)
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ attempts: 1 }])
    browser.status = 201
    await retryNow()
    await deliverPushes(gateway.services)
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(1)
    expect(await waiting()).toEqual([])
  })

  it('are not lost when a statement fails after they were taken [LOOP-02]', async () => {
    await pushedFan()
    failNext(({ text }) => text.includes('from private.push_subscriptions'), 1, gateway.services.background) // the job's
    await publish()
    const waiting = () => gateway.query(`select attempts from private.post_announcement_retries where channel = 'push'`)
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ attempts: 1 }])
    await retryNow()
    await deliverPushes(gateway.services)
    await expect.poll(() => browser.received.length, { timeout: 20_000 }).toBe(1)
  })
})
