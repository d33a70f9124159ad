import type { Jobs } from '../../jobs/index.ts'
import { Listener, type ListenerOptions } from '../../postgres/listener.ts'
import type { Payments } from '../payments.ts'
import { paymentTasksJob } from './payment-tasks.ts'

/** Runs the database's payment tasks as soon as they are committed, by any process: an admin's suspension stops a trial at once. */
export function listenForPaymentTasks(
  { jobs, log }: Pick<Payments, 'log'> & { readonly jobs: Jobs },
  ownerUrl: ListenerOptions['ownerUrl'],
): Listener {
  return new Listener({
    ownerUrl,
    channel: 'ovation_payment_tasks',
    log,
    onNotification: () =>
      void jobs.send(paymentTasksJob, {}).catch((error: unknown) => {
        log.warn({ err: error }, 'payment tasks deferred to the next scheduled run')
      }),
  })
}
