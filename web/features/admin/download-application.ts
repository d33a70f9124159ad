import type { Application } from './queries.ts'

/** What the file holds: everything an admin sees without asking, and no more of the SSN than its last four digits (ADM-15, D10). */
export function applicationFile(application: Application): { name: string; text: string } {
  const { applicant, id_front_url, id_back_url, ...rest } = application
  const text = JSON.stringify({ ...rest, username: applicant?.username ?? null }, null, 2)
  return { name: `application-${applicant?.username ?? application.id}.json`, text }
}

/** Hands the file to the browser, as a download. */
export function downloadApplication(application: Application): void {
  const { name, text } = applicationFile(application)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
