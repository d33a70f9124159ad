import { paths } from './paths.ts'

/** The screens of an admin's queues, by the group of the notifications about them (private.ring_admins). */
const queuePaths: Readonly<Record<string, string>> = {
  application: paths.admin,
  report: paths.adminReports,
  support_request: paths.adminTab('support'),
}

/** The queue that a notification is about, by its group. Undefined for all other notifications. */
export const queuePathOf = (group: unknown): string | undefined =>
  typeof group === 'string' && Object.hasOwn(queuePaths, group) ? queuePaths[group] : undefined
