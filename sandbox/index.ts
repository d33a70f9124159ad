import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { buildApp, publicPath } from './app.ts'
import { type Books, readBooks } from './billing/balance.ts'
import { type CapabilityName, type CapabilityStatus, setCapability } from './billing/capability.ts'
import { clientId } from './billing/charge.ts'
import { closeDispute, escalateInquiry, offerAppeal, openDispute, preventDispute } from './billing/dispute.ts'
import { warnOfFraud } from './billing/fraud-warning.ts'
import { failPayout, payOutAll } from './billing/payout.ts'
import { failRefund } from './billing/refund.ts'
import { deauthorize, restrictAccount } from './billing/restrict.ts'
import type { DisputeKind } from './billing/test-cards.ts'
import { topUp } from './billing/top-up.ts'
import { startClock } from './clock.ts'
import { type Context, type Dunning, onAccount } from './context.ts'
import { type History, startHistory } from './history.ts'
import { isRefusal } from './http/errors.ts'
import { watchTraffic } from './http/traffic.ts'
import { type Log, silent } from './log.ts'
import { configureEndpoint } from './resources/webhook-endpoints.ts'
import { Store } from './store/store.ts'
import { readTruth, type Truth } from './truth.ts'
import { startDeliverer } from './webhooks/deliver.ts'

export type { Books } from './billing/balance.ts'
export type { History } from './history.ts'
export type { Log } from './log.ts'
export type { Truth } from './truth.ts'
export { eventTypes } from './webhooks/event-types.ts'

export type SandboxOptions = {
  /** The SQLite file that holds everything; made when it is missing. */
  file: string
  host?: string
  /** 0 takes a free one. */
  port?: number
  /** Origin under which browsers reach the hosted pages; the sandbox's own address when absent. */
  publicUrl?: string
  /** Where every event goes, signed with this secret. */
  webhook?: { url: string; secret: string }
  /** The seller's name on the hosted pages. */
  merchant?: string
  /** Connected accounts are paid out each midnight, as at Stripe; only on demand when absent. */
  dailyPayouts?: boolean
  /** Whether what was answered outlives a power cut, as a killed process; true when absent. Without it, tests wait for no disk. */
  isDurable?: boolean
  /** Nothing falls due by itself until `resumeClock`: for a history that goes on where an earlier process stopped. */
  isClockPaused?: boolean
  /** What becomes of a subscription whose invoice nobody paid, after the last attempt; `cancel` when absent. */
  dunning?: Dunning
  /** Which of Stripe's inconvenient rules hold; `SANDBOX_TRUTH`, else the defaults, where a switch is absent. */
  truth?: Partial<Truth>
  /** Silent when absent. */
  log?: Log
}

export type Sandbox = {
  /** Base of the API for the SDK: `http://127.0.0.1:{port}`. */
  url: string
  host: string
  port: number
  /** The prefix of the hosted pages, which a gateway passes on unchanged. */
  publicPath: string
  /** The platform's client id for OAuth. */
  clientId: string
  setPublicUrl: (url: string) => void
  setWebhook: (webhook: { url: string; secret: string }) => void
  /** Goes forward in time; what falls due on the way has happened when it returns. */
  advanceClock: (seconds: number) => void
  /** Unix seconds of the sandbox's clock. */
  now: () => number
  /** Starts the clock of a sandbox that was started with `isClockPaused`. Any other goes on as it is. */
  resumeClock: () => void
  /** The payer's bank reverses this charge. */
  openDispute: (charge: string, kind?: DisputeKind) => void
  /** A dispute was averted before it began. */
  preventDispute: (charge: string) => void
  /** The bank takes the money after its inquiry. */
  escalateInquiry: (dispute: string) => void
  /** A dispute that was lost can be appealed. */
  offerAppeal: (dispute: string) => void
  /** The buyer's bank warns that a charge was a fraud. */
  warnOfFraud: (charge: string) => void
  /** The buyer's bank sends a refund back. */
  failRefund: (refund: string) => void
  /** Ids of all disputes, newest first. */
  disputes: () => string[]
  /** The bank has decided, without evidence being sent. */
  decideDispute: (dispute: string, status: 'lost' | 'warning_closed' | 'won') => void
  /** Pays out all that is available to a connected account, as at midnight. */
  payOut: (account: string) => void
  /** The operator adds money of their own to the platform's balance, available at once. */
  topUp: (cents: number) => void
  /** The bank of a connected account sends a payout back. */
  failPayout: (account: string, payout: string) => void
  /** Stripe has doubts about the holder of a connected account: it is charged and paid out no more until they go through onboarding again. */
  restrictAccount: (account: string) => void
  /** Stripe sees in another way what a connected account can do; each capability moves alone. */
  setCapability: (account: string, name: CapabilityName, status: CapabilityStatus) => void
  /** Sets what becomes of a subscription after the last attempt, as an operator does in the Dashboard. */
  setDunning: (choice: Dunning) => void
  /** The holder of a connected account ends the connection: the platform sees it no more. */
  deauthorize: (account: string) => void
  /** Holds back every answer of the API from now on, as a slow network does: the work is done. @returns what lets them through. */
  holdAnswers: () => () => void
  /** Refuses every request to the API with 429 `rate_limit` from now on. @returns what lets them through. */
  refuseTraffic: () => () => void
  /** Balances in cents of the platform and of each connected account. */
  books: () => Books
  /**
   * Begins a history at an earlier moment: requests with its headers happen there, and send no webhooks. All else goes on, except that the
   * clock is paused until the history is closed.
   */
  openHistory: (from: number) => History
  /** Resolves when every webhook that is due has been tried. */
  webhooksSettled: () => Promise<void>
  /** Ends requests, clock and deliveries; a second call waits for the first. */
  close: () => Promise<void>
}

/** Starts the sandbox: Stripe's API and hosted pages on one loopback port, its webhooks and its clock. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { file, host = '127.0.0.1', port = 0, merchant = 'Sandbox store', dailyPayouts = false, log = silent } = options
  const truth = readTruth(options.truth)
  let { dunning = 'cancel' } = options
  const store = new Store(file, { isDurable: options.isDurable ?? true })
  const deliverer = startDeliverer(store, log)
  let publicUrl = options.publicUrl
  let url = ''
  const pagesUrl = () => `${(publicUrl ?? url).replace(/\/+$/, '')}${publicPath}`
  const contextAt = (now: number): Context => ({
    store,
    account: '',
    now,
    pagesUrl: pagesUrl(),
    homeUrl: publicUrl && `${publicUrl.replace(/\/+$/, '')}/`,
    merchant,
    dailyPayouts,
    truth,
    dunning: () => dunning,
    request: { id: null, idempotencyKey: null },
  })
  const clock = startClock(store, contextAt, deliverer.wake, log)
  const resumeClock = options.isClockPaused ? clock.pause() : () => {}
  let history: History | undefined
  const setWebhook = (webhook: { url: string; secret: string }) => {
    store.transaction(() => configureEndpoint(contextAt(clock.now()), webhook))
    deliverer.wake()
  }
  if (options.webhook) setWebhook(options.webhook)

  const traffic = watchTraffic()
  const app = Fastify({ bodyLimit: 256 * 1024, forceCloseConnections: true })
  app.addHook('onError', async (request, _reply, error) => {
    if (!isRefusal(error)) log.error(`${request.method} ${request.url.split('?')[0]}: ${error.stack ?? error.message}`)
  })
  await buildApp(app, {
    contextOf: (request, account = '', isOfHistory = false) => ({
      ...contextAt(clock.now()),
      ...(isOfHistory && history?.context()),
      account,
      request,
    }),
    truth,
    traffic,
    committed: deliverer.wake,
    advanceClock: clock.advance,
    base: publicPath,
  })
  await app.listen({ host, port })
  const address = app.server.address() as AddressInfo
  url = `http://${host}:${address.port}`

  /** What happens outside any request: at a bank. */
  function atOnce(work: (context: Context) => unknown): void {
    store.transaction(() => work(contextAt(clock.now())))
    deliverer.wake()
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    clock.close()
    await app.close()
    await deliverer.close()
    store.close()
  }

  return {
    url,
    host,
    port: address.port,
    publicPath,
    clientId,
    setPublicUrl: (value) => {
      publicUrl = value
    },
    setWebhook,
    advanceClock: clock.advance,
    now: clock.now,
    resumeClock,
    openDispute: (charge, kind) => atOnce((context) => openDispute(context, context.store.get('charge', charge), kind)),
    preventDispute: (charge) => atOnce((context) => preventDispute(context, context.store.get('charge', charge))),
    escalateInquiry: (dispute) => atOnce((context) => escalateInquiry(context, context.store.get('dispute', dispute))),
    offerAppeal: (dispute) => atOnce((context) => offerAppeal(context, context.store.get('dispute', dispute))),
    warnOfFraud: (charge) => atOnce((context) => warnOfFraud(context, context.store.get('charge', charge))),
    failRefund: (refund) => atOnce((context) => failRefund(context, context.store.get('refund', refund))),
    disputes: () => store.list('dispute', { account: '', limit: 100 }).data.map(({ id }) => id),
    decideDispute: (dispute, status) =>
      atOnce((context) => closeDispute(context, context.store.get('dispute', dispute), status)),
    topUp: (cents) => atOnce((context) => topUp(context, cents)),
    payOut: (account) => atOnce((context) => payOutAll(context, account)),
    failPayout: (account, payout) =>
      atOnce((context) => failPayout(onAccount(context, account), context.store.get('payout', payout))),
    restrictAccount: (account) => atOnce((context) => restrictAccount(context, context.store.get('account', account))),
    setCapability: (account, name, status) =>
      atOnce((context) => setCapability(context, context.store.get('account', account), name, status)),
    setDunning: (choice) => {
      dunning = choice
    },
    deauthorize: (account) => atOnce((context) => deauthorize(context, account)),
    holdAnswers: traffic.hold,
    refuseTraffic: traffic.refuse,
    books: () => readBooks(contextAt(clock.now())),
    openHistory: (from) => {
      history = startHistory({ clock, from, contextAt, ended: () => (history = undefined) })
      return history
    },
    webhooksSettled: deliverer.settled,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
