import type { AllServices } from './all-services.ts'
import { sweepAccounts } from './auth/sweep-accounts.ts'
import { checkVerifiedDomains } from './custom-domains/check-domain.ts'
import { advanceFlows } from './flows/advance-flows.ts'
import { closeGoals } from './goals/close-goals.ts'
import { type Job, onDemand } from './jobs/index.ts'
import { massMessagesJob, sendMassMessages } from './mass-messages/send-mass-messages.ts'
import { deliverEmails } from './notifications/deliver-emails.ts'
import { deliverPushes } from './notifications/deliver-pushes.ts'
import { pushesJob } from './notifications/push-listener.ts'
import { sendPaymentEmails } from './payments/emails/payment-emails.ts'
import { deliverGifts } from './payments/gifts/deliver-gifts.ts'
import { reconcile } from './payments/reconciliation/reconcile.ts'
import { advancePauses } from './payments/subscriptions/advance-pauses.ts'
import { endLapsedSubscriptions } from './payments/subscriptions/end-lapsed.ts'
import { movePrices } from './payments/subscriptions/move-prices.ts'
import { rollUpSubscribers } from './payments/subscriptions/roll-up-subscribers.ts'
import { carryOutPaymentTasks, paymentTasksJob } from './payments/tasks/payment-tasks.ts'
import { payReferrals } from './payments/transfers/referral-transfers.ts'
import { sendForgottenEvents } from './payments/webhooks/event-job.ts'
import { keepPartitions } from './postgres/partitions.ts'
import { sql } from './postgres/sql.ts'
import { announceProducts } from './products/announce-products.ts'
import { checkDueLinks } from './profile-links/check-due-links.ts'
import { rollUpLinks } from './public-pages/links/roll-up-links.ts'
import { forgetBroadcasts } from './realtime/forget-broadcasts.ts'
import { publishDuePosts } from './scheduled-posts/publish-due-posts.ts'
import { removeDeletedFiles, storageRemovalsJob } from './storage/remove-deleted.ts'
import { videosJob } from './storage/video/videos.ts'
import { removeEndedStories } from './stories/remove-ended-stories.ts'
import { forgetMediaProgress, rollUpFunnel } from './visitors/roll-up-funnel.ts'

type ScheduledJob = Omit<Job<object>, 'schedule' | 'run'> & {
  /** Five fields of cron, in UTC. */
  readonly cron: string
  readonly run: () => Promise<void>
}

/** Longer than any video takes. The job ends earlier only if its process stops responding. */
const longestVideoSeconds = 12 * 3600

/** Stripe delivers for three days, so a missed night can be made up for. */
const reconciledDays = 7

/** All scheduled jobs. Some also run on demand: see the callers of `jobs.send`. */
export function listScheduledJobs(services: AllServices): Job<object>[] {
  const { config, database, store, videos } = services
  const { service } = database
  const jobs: ScheduledJob[] = [
    // Requests to Stripe that transactions have queued.
    {
      ...paymentTasksJob,
      cron: '* * * * *',
      queue: { policy: onDemand, retryLimit: 5, retryDelay: 5, retryBackoff: true },
      run: () => carryOutPaymentTasks(services),
    },
    // Receipts, refunds, failed charges, and reminders.
    {
      name: 'payment-emails',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 60 },
      run: () => sendPaymentEmails(services),
    },
    // Posts whose publish time has come.
    {
      name: 'scheduled-posts',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 10 },
      run: () => publishDuePosts(services),
    },
    // Notifications by email.
    {
      name: 'notification-mails',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 30 },
      run: () => deliverEmails(services),
    },
    // Notifications by web push, which also run as soon as there is one.
    {
      ...pushesJob,
      cron: '* * * * *',
      queue: { policy: onDemand, retryLimit: 2, retryDelay: 30 },
      run: () => deliverPushes(services),
    },
    // Private sessions: unpaid holds, unanswered requests, reminders.
    {
      name: 'sessions-by-the-clock',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 20 },
      run: async () => {
        await service.rows(sql`select private.settle_bookings(), private.remind_of_sessions()`)
      },
    },
    // Gifts: those that are due, and those that nobody redeemed or whose months are over.
    {
      name: 'gifts',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 20 },
      run: () => deliverGifts(services),
    },
    // Products: new versions for their buyers, and pages whose hold is ending.
    {
      name: 'products-by-the-clock',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 20 },
      run: async () => {
        await service.rows(sql`select private.close_product_pages()`)
        await announceProducts(service)
      },
    },
    // Goals that have ended, and the results of goals.
    {
      name: 'goals',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 20 },
      run: () => closeGoals(service),
    },
    // Stories that ended a month ago.
    {
      name: 'ended-stories',
      cron: '23 * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
      run: () => removeEndedStories(service),
    },
    // Mass messages, which also run as soon as a creator sends one, and when one is due.
    {
      ...massMessagesJob,
      cron: '* * * * *',
      queue: { policy: onDemand, retryLimit: 3, retryDelay: 5 },
      run: () => sendMassMessages(services),
    },
    // Fans in flows whose next step is due.
    {
      name: 'flows',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 20 },
      run: () => advanceFlows(services),
    },
    // Flows for fans who have been away for some days.
    {
      name: 'flows-of-absences',
      cron: '37 * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
      run: async () => void (await service.rows(sql`select private.start_inactive_flows()`)),
    },
    // Visits to creators' links, and what came of them.
    {
      name: 'links',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 10 },
      run: () => rollUpLinks(service),
    },
    // Subscribers for the analytics. Those that aren't counted yet are read one by one.
    {
      name: 'subscriber-rollups',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 10 },
      run: () => rollUpSubscribers(service),
    },
    // The funnel, the figures of content, and how far viewers got.
    {
      name: 'funnel',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 3, retryDelay: 10 },
      run: () => rollUpFunnel(service),
    },
    // Webhook events whose job was lost.
    {
      name: 'stripe-events-forgotten',
      cron: '*/5 * * * *',
      queue: { policy: 'exclusive', retryLimit: 0 },
      run: () => sendForgottenEvents(services),
    },
    // Who is popular this week, for Explore.
    {
      name: 'weekly-popularity',
      cron: '*/5 * * * *',
      queue: { policy: 'exclusive', retryLimit: 0 },
      run: async () => void (await service.rows(sql`select private.refresh_weekly_popularity()`)),
    },
    // Files of deleted rows and accounts.
    {
      ...storageRemovalsJob,
      cron: '*/5 * * * *',
      queue: { policy: onDemand, retryLimit: 2, retryDelay: 30 },
      run: async () => void (await removeDeletedFiles(service, store)),
    },
    // Subscriptions that have ended.
    {
      name: 'subscriptions-by-the-clock',
      cron: '*/10 * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
      run: () => endLapsedSubscriptions(services),
    },
    // Notices of new prices, and the prices whose notice is over.
    {
      name: 'price-moves',
      cron: '*/5 * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
      run: () => movePrices(services),
    },
    // Pauses of creators and fans.
    {
      name: 'pauses',
      cron: '* * * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 60 },
      run: () => advancePauses(services),
    },
    // Referral earnings.
    {
      name: 'referral-transfers',
      cron: '*/10 * * * *',
      queue: { policy: 'exclusive', retryLimit: 5, retryDelay: 30, retryBackoff: true },
      run: () => payReferrals(services),
    },
    // Spent tokens, abandoned flows, and accounts that were never confirmed.
    {
      name: 'auth-sweep',
      cron: '17 * * * *',
      run: () => sweepAccounts(service, config.auth),
    },
    // Broadcasts past their retention time.
    {
      name: 'realtime-forget',
      cron: '29 * * * *',
      run: () => forgetBroadcasts(service),
    },
    // Verified links of profiles, each once a week.
    {
      name: 'profile-links',
      cron: '53 * * * *',
      queue: { policy: 'exclusive', retryLimit: 0 },
      run: () => checkDueLinks(services),
    },
    // Former usernames after 90 days, and reply times after 30.
    {
      name: 'forget-old-entries',
      cron: '41 3 * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 600 },
      run: async () =>
        void (await service.rows(sql`select private.forget_former_usernames(), private.forget_reply_times()`)),
    },
    // Who got how far in which video, after 180 days.
    {
      name: 'media-progress',
      cron: '47 3 * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 600 },
      run: () => forgetMediaProgress(service),
    },
    // Partitions of the coming months, and the end of those that are too old.
    {
      name: 'partitions',
      cron: '11 3 * * *',
      queue: { policy: 'exclusive', retryLimit: 5, retryDelay: 600 },
      run: () =>
        keepPartitions(database.ownerUrl, {
          'public.notifications': config.notifications.keptDays,
          'auth.audit_log_entries': config.auth.auditLogDays,
        }),
    },
    // The DNS records of creators' domains.
    {
      name: 'custom-domains',
      cron: '23 * * * *',
      queue: { policy: 'exclusive', retryLimit: 0 },
      run: () => checkVerifiedDomains(services),
    },
    // Our books compared with Stripe's.
    {
      name: 'reconcile-payments',
      cron: '17 4 * * *',
      queue: { policy: 'exclusive', retryLimit: 2, retryDelay: 600 },
      run: async () => void (await reconcile(services, reconciledDays)),
    },
  ]
  // Posters and streams, on nodes that can create them; one video at a time, because encoding takes all the CPU a machine can spare.
  if (videos.areMade)
    jobs.push({
      ...videosJob,
      cron: '* * * * *',
      queue: { policy: onDemand, retryLimit: 0, expireInSeconds: longestVideoSeconds, heartbeatSeconds: 60 },
      run: () => videos.make(),
    })
  return jobs.map(({ cron, ...job }) => ({ ...job, schedule: { cron, data: {} } }))
}
