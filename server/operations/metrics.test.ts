import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

describe('/metrics', () => {
  const token = 'a token of length'
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { METRICS_TOKEN: token } })
  })
  afterAll(() => gateway?.close())

  const read = (authorization?: string) =>
    fetch(`${gateway.url}/metrics`, { headers: { ...(authorization && { authorization }) } })

  it('reports requests, connections, and jobs to anyone with the token', async () => {
    await gateway.anon.from('profiles').select('id')
    await gateway.anon.from('nowhere').select('id')
    const answer = await read(`Bearer ${token}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    expect(text).toMatch(/ovation_http_request_seconds_count\{api="rest",method="GET",status="2xx"\} 1\n/)
    expect(text).toMatch(/ovation_http_request_seconds_count\{api="rest",method="GET",status="4xx"\} 1\n/)
    expect(text).toMatch(/ovation_database_connections\{state="open"\} [1-9]/)
    expect(text).toMatch(/process_resident_memory_bytes \d/)
    expect(text).not.toContain('profiles')
  })

  it("reports what an operator's income depends on: sign-ins, emails, webhooks, money, services, disk, and errors by route", async () => {
    const { email, password } = await gateway.signUp()
    await gateway.anon.auth.signInWithPassword({ email, password })
    await gateway.anon.auth.signInWithPassword({ email, password: 'wrong' })
    await gateway.anon.auth.resetPasswordForEmail(email)
    await fetch(`${gateway.url}/functions/v1/stripe-webhook`, { method: 'POST', body: '{}' })
    await gateway.query(
      `insert into private.stripe_events (id, type, payload, created_at, received_at)
       values ('evt_late', 'invoice.paid', '{}', now(), now() - interval '5 minutes')`,
    )
    await gateway.query(
      `insert into private.payment_differences (cause, kind, expected_cents, actual_cents) values ('in_1', 'amount', 1, 2)`,
    )
    await gateway.query(`create function public.breaks() returns void language plpgsql as $$
      begin raise sqlstate '58000' using message = 'broken'; end $$`)
    await gateway.query('grant execute on function public.breaks to anon, authenticated')
    await gateway.query(`notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await gateway.anon.rpc('breaks')).status, { timeout: 10_000 }).toBe(500)
    const text = await (await read(`Bearer ${token}`)).text()
    for (const line of [
      'ovation_sign_ins_total{way="password",outcome="ok"} 1',
      'ovation_sign_ins_total{way="password",outcome="refused"} 1',
      'ovation_mails_total{outcome="sent"} 1',
      'ovation_webhooks_total{outcome="refused"} 1',
      'ovation_webhooks_open{state="late"} 1',
      'ovation_webhooks_open{state="failed"} 0',
      'ovation_payment_differences 1',
      'ovation_part_up{part="database"} 1',
      'ovation_part_up{part="storage"} 1',
      'ovation_realtime{what="connections"} 0',
    ])
      expect.soft(text, line).toContain(`${line}\n`)
    expect(text).toMatch(/ovation_disk_free_bytes [1-9]/)
    expect(text).toMatch(/ovation_jobs_oldest_waiting_seconds \d/)
    expect(text).toMatch(/ovation_realtime_log_lag_bytes \d/)
    expect(text).toMatch(/ovation_build_info\{version="\d+\.\d+\.\d+",node="v\d+/)
    expect(text).toMatch(/ovation_http_errors_total\{route="\/rest\/v1\/rpc\/:\w+",status="500"\} [1-9]/)
    expect(text).not.toContain('breaks')
  }, 60_000)

  it.each([undefined, 'Bearer', 'Bearer a token of lengtH', `Basic ${token}`])('rejects %s', async (authorization) => {
    const answer = await read(authorization)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain('ovation_')
  })

  it('counts jobs that failed and jobs that wait', async () => {
    await gateway.query(
      `insert into pgboss.job (name, state) select name, 'failed' from pgboss.queue order by name limit 1`,
    )
    expect(await (await read(`Bearer ${token}`)).text()).toMatch(/ovation_jobs\{queue="[\w-]+",state="failed"\} 1\n/)
  })
})

it("doesn't exist in production without a token", async () => {
  const gateway = await startGateway({ env: { NODE_ENV: 'production', SITE_URL: 'https://creators.example.com' } })
  const [metrics, unknown] = await Promise.all(['metrics', 'nowhere'].map((path) => fetch(`${gateway.url}/${path}`)))
  expect(metrics?.status).toBe(unknown?.status)
  expect(await metrics?.text()).toBe(await unknown?.text())
  await gateway.close()
})
