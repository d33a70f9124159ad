import type { MassFile, MassMessage } from '../domain/mass-messages/queries.ts'

/* Mass messages, as the server responds. */

export const buildFile = (over: Partial<MassFile> = {}): MassFile => ({
  id: 'file-1',
  path: 'u/1.jpg',
  kind: 'image',
  name: 'Rehearsal',
  preview: null,
  duration: null,
  created_at: '2024-05-01T10:00:00Z',
  ...over,
})

export const buildMass = (over: Partial<MassMessage> = {}): MassMessage => ({
  id: 'mass-1',
  content: 'See you at six.',
  price_cents: null,
  file_ids: over.files?.map(({ id }) => id) ?? [],
  files: [],
  preview_index: null,
  audience: { include: [{ condition: 'subscribed', status: 'any' }], exclude: [] },
  skip_owners: false,
  skip_recent_hours: null,
  time_zone: null,
  scheduled_at: null,
  ends_at: null,
  status: 'draft',
  recipients_count: null,
  sent_count: 0,
  created_at: '2024-05-01T10:00:00Z',
  updated_at: '2024-05-01T10:00:00Z',
  sent_at: null,
  delivered: 0,
  viewed: 0,
  purchased: 0,
  earned_cents: 0,
  ...over,
})
