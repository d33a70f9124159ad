import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { anonymous } from '../../postgres/caller.ts'
import type { Person } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, refusalOf, type Shop, subscribe } from '../testing/shop.ts'
import { reconcile as reconcilePayments } from './reconcile.ts'

let shop: Shop
let creator: Person
let admin: Person
beforeAll(async () => {
  // Every webhook is lost, so everything known here comes from reconciliation.
  shop = await buildShop({ webhooks: false })
  creator = await shop.buildCreator()
  admin = await buildAdmin(shop.gateway)
})
afterAll(() => shop.close())

type Answer = { charges: number; healed: number; differences: { kind: string; cause: string }[] }
const reconcile = () => call<Answer>(admin, 'reconcile-payments')

describe('reconcile-payments', () => {
  it('books what was lost: purchases, refunds, disputes, payouts', async () => {
    const fan = await shop.gateway.signUp()
    const plan = await shop.buildPlan(creator)
    await subscribe(fan, plan)
    const intents = []
    for (const price of [500, 700, 900]) {
      const targetId = await buildPaidPost(creator, { ppv_price: price })
      const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
      await pay(url)
      intents.push((await shop.stripe.paymentIntents.list({ limit: 1 })).data[0])
    }
    await shop.stripe.refunds.create({
      payment_intent: intents[0]?.id,
      reverse_transfer: true,
      refund_application_fee: true,
    })
    shop.sandbox.openDispute(intents[1]?.latest_charge as string)
    expect(await shop.gateway.query('select from public.transactions')).toEqual([])

    const first = await reconcile()
    expect(first).toMatchObject({ charges: 4, differences: [] })
    expect(first.healed).toBe(6) // four payments, a refund, and a dispute
    await shop.gateway.services.jobs.send({ name: 'payment-tasks' }, {}) // takes back the disputed transfer
    await shop.settled()
    await expectBalancedBooks(shop)
    expect(await reconcile()).toMatchObject({ charges: 4, healed: 0, differences: [] })
    const { data } = await fan.client.from('subscriptions').select('status').single()
    expect(data).toEqual({ status: 'active' })
  })

  it('skips objects that no longer exist at the provider: a page, a subscription, an account', async () => {
    const { query } = shop.gateway
    const leaver = await shop.buildCreator()
    const plan = await shop.buildPlan(leaver)
    const account = await shop.accountOf(leaver)
    await shop.stripe.accounts.del(account)
    await query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, url, created_at)
       values ('cs_gone', 'subscription', $1, $2, $3, 'https://example.com', now() - interval '1 hour')`,
      [admin.profileId, leaver.profileId, plan.id],
    )
    await query(
      `select private.apply_subscription_state('sub_gone', $1, $2, $3, 'active', now(), now() + interval '30 days', null, false, null, now())`,
      [admin.profileId, leaver.profileId, plan.id],
    )
    expect(await reconcile()).toMatchObject({ differences: [] })
    expect(
      await query(
        `select (select status from private.checkout_sessions where id = 'cs_gone') as page,
           (select stripe_payouts_enabled from private.profiles where id = $1) as pays_out`,
        [leaver.profileId],
      ),
    ).toEqual([{ page: 'expired', pays_out: false }])
  })

  it("continues past a page that can't be read, and reports it", async () => {
    const { query } = shop.gateway
    const targetId = await buildPaidPost(creator)
    const fan = await shop.gateway.signUp()
    const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
    await pay(url)
    await query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, amount_cents, url, created_at)
       values ('cs_first', 'tip', $1, $2, 500, 'https://example.com', now() - interval '2 hours')`,
      [fan.profileId, creator.profileId],
    )
    const { sessions } = shop.stripe.checkout
    const retrieve = vi.spyOn(sessions, 'retrieve').mockRejectedValueOnce(new Error('out of order'))
    expect(await refusalOf(admin, 'reconcile-payments')).toMatchObject({ status: 500 })
    expect(retrieve).toHaveBeenCalledWith('cs_first')
    const { data } = await fan.client.from('posts').select('is_locked').eq('id', targetId).single()
    expect(data).toEqual({ is_locked: false })
    expect(await reconcile()).toMatchObject({ healed: 0, differences: [] })
  })

  it("continues past a charge that can't be compared, settles nothing that day, and reports which one", async () => {
    const { query, services } = shop.gateway
    const fan = await shop.gateway.signUp()
    const targetId = await buildPaidPost(creator)
    const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
    await pay(url)
    await reconcile()
    const [intent] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data
    const charge = intent?.latest_charge as string
    await shop.stripe.refunds.create({
      payment_intent: intent?.id,
      reverse_transfer: true,
      refund_application_fee: true,
    })
    await query(`select private.note_difference($1, 'returned', 500, 0)`, [intent?.id])
    const open = () =>
      query(`select kind from private.payment_differences where cause = $1 and resolved_at is null`, [intent?.id])
    const retrieve = shop.stripe.charges.retrieve.bind(shop.stripe.charges)
    let isFirst = true
    const refunds = vi.spyOn(shop.stripe.charges, 'retrieve').mockImplementation((async (
      ...[id, ...rest]: Parameters<typeof retrieve>
    ) => {
      if (id !== charge || !isFirst) return retrieve(id, ...rest)
      isFirst = false
      throw new Error('out of order')
    }) as typeof retrieve)
    const failure = await reconcilePayments(services, 7).catch((error: unknown) => error)
    expect(failure).toMatchObject({ errors: [{ message: `charge ${charge} could not be compared` }] })
    expect(await open()).toEqual([{ kind: 'returned' }])
    refunds.mockRestore()
    expect(await reconcile()).toMatchObject({ healed: 0 }) // the refund was found without help
    expect(await open()).toEqual([])
  })

  it('finds refunds, disputes, and their outcomes for payments older than the compared ones', async () => {
    const { services } = shop.gateway
    const fan = await shop.gateway.signUp()
    const intents = []
    for (const price of [600, 800]) {
      const targetId = await buildPaidPost(creator, { ppv_price: price })
      const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
      await pay(url)
      intents.push((await shop.stripe.paymentIntents.list({ limit: 1 })).data[0])
    }
    await reconcile()
    shop.sandbox.advanceClock(10 * 86_400)
    await shop.stripe.refunds.create({
      payment_intent: intents[0]?.id,
      reverse_transfer: true,
      refund_application_fee: true,
    })
    shop.sandbox.openDispute(intents[1]?.latest_charge as string)
    // The provider's clock is ten days ahead of ours: nothing was paid in its last five days, and nothing refunded in its last thirty.
    expect(await reconcilePayments(services, -5)).toMatchObject({ charges: 0, healed: 2 })
    const status = async () =>
      (
        await fan.client
          .from('transactions')
          .select('status')
          .eq('transaction_type', 'ppv')
          .order('amount')
          .throwOnError()
      ).data
    expect(await status()).toEqual([{ status: 'refunded' }, { status: 'disputed' }])
    await services.jobs.send({ name: 'payment-tasks' }, {})
    await shop.settled()
    shop.sandbox.decideDispute(shop.sandbox.disputes()[0] ?? '', 'won')
    expect(await reconcilePayments(services, -30)).toMatchObject({ charges: 0, healed: 1 })
    expect(await status()).toEqual([{ status: 'refunded' }, { status: 'completed' }])
    await services.jobs.send({ name: 'payment-tasks' }, {})
    await shop.settled()
    await expectBalancedBooks(shop)
  })

  it("shows an admin what the books have and the provider doesn't, until it is settled", async () => {
    const post = await shop.gateway.query<{ id: string }>(
      `select private.post_tip('pi_never_paid', $1, $2, 1000, 100, 'usd', now()) as id`,
      [admin.profileId, creator.profileId],
    )
    const found = { differences: [{ kind: 'unknown', cause: 'pi_never_paid' }] }
    expect(await reconcile()).toMatchObject(found)
    expect(await reconcile()).toMatchObject(found)
    await shop.gateway.query(`select private.post_refund('re_by_hand', $1, null, now())`, [post[0]?.id])
    await shop.gateway.query(`update private.payment_differences set resolved_at = now()`)
    expect((await reconcile()).differences).toHaveLength(1) // it still isn't there
  })

  it('appears in the audit log when it begins and when it is done [DATA-25]', async () => {
    await call(admin, 'reconcile-payments', { days: 3 })
    const { data } = await admin.client.rpc('get_audit_log', { action: 'reconcile_payments' }).throwOnError()
    const [done, begun] = data as { subject_id: string; after: object; details: object }[]
    expect([begun, done]).toMatchObject([
      { after: { state: 'begun' }, details: { days: 3 } },
      { after: { state: 'done', charges: expect.any(Number) }, subject_id: begun?.subject_id },
    ])
  })

  it('is for admins', async () => {
    expect(await refusalOf(creator, 'reconcile-payments')).toMatchObject({ status: 403 })
    expect(await refusalOf(admin, 'reconcile-payments', { days: 0 })).toMatchObject({ status: 400 })
  })
})

describe('a statement', () => {
  const script = fileURLToPath(new URL('../../../scripts/verify-statement.ts', import.meta.url))
  const verify = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'statement-'))
    const file = join(folder, 'statement-audit.csv')
    writeFileSync(file, text)
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return { status, text: stdout + stderr }
  }
  const download = async (person: Person) => {
    const { url } = await call<{ url: string }>(person, 'export-statement')
    return fetch(url)
  }

  it('can be recomputed offline, and matches Earned and the dashboard to the cent [DATA-32, DASH-12, PROF-06]', async () => {
    const response = await download(creator)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    // The readable statement is a CSV, too, and can't be verified.
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="statement-audit.csv"')
    const { status, text } = verify(await response.text())
    expect(status).toBe(0)
    const earned = Number(/Earned +\$([\d.]+)/.exec(text)?.[1]?.replace('.', ''))
    const { data: profile } = await creator.client
      .from('profiles')
      .select('total_earnings')
      .eq('id', creator.profileId)
      .single()
    const { data: stats } = await creator.client.rpc('get_creator_stats', { creator_profile_id: creator.profileId })
    expect(earned).toBeGreaterThan(0)
    expect(profile?.total_earnings).toBe(earned)
    expect((Array.isArray(stats) ? stats[0] : stats)?.total_earnings).toBe(earned)
  })

  it.each([
    ['an amount is changed', (text: string) => text.replace(/,-(\d)/, ',-9$1')],
    ['a line is left out', (text: string) => text.replace(/^2,.*\r\n/m, '')],
    ['lines are swapped', (text: string) => text.replace(/^(2,.*\r\n)(3,.*\r\n)/m, '$2$1')],
    ['it has another user’s name', (text: string) => text.replaceAll(creator.profileId, admin.profileId)],
  ])('is invalid when %s', async (_what, change) => {
    const text = await (await download(creator)).text()
    const changed = change(text)
    expect(changed).not.toBe(text)
    expect(verify(changed)).toMatchObject({ status: 1, text: expect.stringContaining('not sound') })
  })

  it('is distinguished from an unrelated file', () => {
    expect(verify('Dear creator\n')).toMatchObject({ status: 1, text: expect.stringContaining('not a statement') })
  })

  it('lists date, item, payer, gross, fee, and net for reading, in money amounts, of a month or all [LOOP-21]', async () => {
    const month = new Date().toISOString().slice(0, 7)
    const read = async (body: Record<string, unknown>) =>
      (await fetch((await call<{ url: string }>(creator, 'export-statement', body)).url)).text()
    const [head, ...lines] = (await read({ format: 'csv' })).trim().split('\r\n')
    expect(head).toBe('Date,Item,Payer,Gross,Fee,Net,Currency')
    const amounts = lines.map((line) => line.slice(line.indexOf('$') - 1))
    expect(lines.filter((line) => /,Subscription: /.test(line))).toHaveLength(1)
    expect(amounts).toContain(',$9.99,$1.00,$8.99,USD')
    expect(amounts).toContain('-$5.00,-$0.50,-$4.50,USD') // the refund of a post
    expect(lines.every((line) => /^\d{4}-\d\d-\d\d,/.test(line))).toBe(true)
    // The same total as the ledger.
    const net = lines.map((line) => Number(line.split(',').at(-2)?.replace('$', '')))
    const { data: profile } = await creator.client
      .from('profiles')
      .select('total_earnings')
      .eq('id', creator.profileId)
      .single()
    expect(Math.round(net.reduce((sum, amount) => sum + amount, 0) * 100)).toBe(profile?.total_earnings)
    const ofMonth = (await read({ format: 'csv', month })).trim().split('\r\n').slice(1)
    expect(ofMonth).toEqual(lines.filter((line) => line.startsWith(month)))
    expect((await read({ format: 'csv', month: '2020-02' })).trim().split('\r\n')).toHaveLength(1)
  })

  it('is a PDF by month, and in no other month, format, or by another user [LOOP-21]', async () => {
    const month = new Date().toISOString().slice(0, 7)
    const open = async (person: Person, body: Record<string, unknown>) =>
      fetch((await call<{ url: string }>(person, 'export-statement', body)).url)
    const pdf = await open(creator, { format: 'pdf', month })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="statement-${month}.pdf"`)
    const text = Buffer.from(await pdf.arrayBuffer()).toString('latin1')
    expect(text.startsWith('%PDF-')).toBe(true)
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
    expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1)
    const empty = await open(admin, { format: 'pdf', month })
    expect((await empty.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    expect(await refusalOf(creator, 'export-statement', { format: 'pdf' })).toMatchObject({ status: 400 })
    expect(await refusalOf(creator, 'export-statement', { format: 'pdf', month: '2026-13' })).toMatchObject({
      status: 400,
    })
    expect(await refusalOf(creator, 'export-statement', { format: 'doc' })).toMatchObject({ status: 400 })
  })

  it.each(['audit', 'csv', 'pdf'])(
    'gets "try again later" as %s while too many files are read [LOOP-21]',
    async (format) => {
      const month = new Date().toISOString().slice(0, 7)
      const { url } = await call<{ url: string }>(creator, 'export-statement', { format, month })
      const { database } = shop.gateway.services
      const readings = await Promise.all(Array.from({ length: 4 }, () => eventually(() => database.read(anonymous))))
      try {
        const refused = await fetch(url)
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      } finally {
        await Promise.all(readings.map((reading) => reading.close()))
      }
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
    },
  )

  it('opens only through its own link', async () => {
    const { url } = await call<{ url: string }>(creator, 'export-statement')
    expect((await fetch(`${url}x`)).status).toBe(403)
    const other = await call<{ url: string }>(creator, 'export-own-data')
    const token = new URL(other.url).searchParams.get('token')
    expect((await fetch(`${shop.gateway.url}/functions/v1/export-statement/download?token=${token}`)).status).toBe(403)
  })
})
