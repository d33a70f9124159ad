import type { Jobs } from '../../jobs/index.ts'
import { Listener, type ListenerOptions } from '../../postgres/listener.ts'
import type { Payments } from '../payments.ts'
import { paymentTasksJob } from './payment-tasks.ts'

/** Carries out what the database asks of the provider as soon as it is committed, whoever wrote it: an admin's suspension stops a trial at once. */
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
        log.warn({ err: error }, 'payment tasks wait for the clock')
      }),
  })
}
