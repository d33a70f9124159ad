import { openQueue } from './open-queue.ts'

/** Creates the job queue's tables ahead of the first start. */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  const boss = openQueue(ownerUrl, { supervise: false, schedule: false, max: 1 })
  await boss.start()
  await boss.stop({ graceful: false })
}
