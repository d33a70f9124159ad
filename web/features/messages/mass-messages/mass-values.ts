import type { Json } from '@ovation/contract/database'
import { massMessageHoursMax, paidMessageMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { audienceOf, keyOf } from '../../../domain/mass-messages/audience.ts'
import type { MassFile, MassMessage, Recipients } from '../../../domain/mass-messages/queries.ts'
import { centsOf } from '../../../lib/format/cents-of.ts'
import { ownZone } from '../../../lib/format/local-time.ts'
import { fromZonedInput, toZonedInput } from '../../../lib/format/zoned-time.ts'

const texts = massMessageTexts.compose.errors

/** The composer's fields. */
export type MassValues = {
  /** The draft on the server, once there is one. Kept with the fields, so that a reload goes on with it. */
  savedAs: string
  /** Conditions (`keyOf`). */
  to: string[]
  except: string[]
  content: string
  files: MassFile[]
  /** The file that is shown before the purchase. */
  previewId: string
  /** In dollars; empty for a free message. */
  price: number | string
  skipOwners: boolean
  skipsRecent: boolean
  recentHours: number | string
  ends: boolean
  /** Clocks of `zone`. */
  endsAt: string
  later: boolean
  sendAt: string
  zone: string
}

export const noValues = (to: string[] = []): MassValues => ({
  savedAs: '',
  to,
  except: [],
  content: '',
  files: [],
  previewId: '',
  price: '',
  skipOwners: false,
  skipsRecent: false,
  recentHours: 24,
  ends: false,
  endsAt: '',
  later: false,
  sendAt: '',
  zone: ownZone(),
})

/** What an earlier message has for a new one: all but its times. */
export const valuesFrom = (message: MassMessage): MassValues => ({
  ...noValues(message.audience.include.map(keyOf)),
  except: message.audience.exclude.map(keyOf),
  content: message.content,
  files: message.files,
  previewId: message.file_ids[message.preview_index ?? -1] ?? '',
  price: message.price_cents === null ? '' : message.price_cents / 100,
  skipOwners: message.skip_owners,
  skipsRecent: message.skip_recent_hours !== null,
  recentHours: message.skip_recent_hours ?? 24,
})

/** A draft or a scheduled message, to be changed. */
export function valuesOf(message: MassMessage): MassValues {
  const { id, ends_at, scheduled_at, time_zone } = message
  const zone = time_zone ?? ownZone()
  return {
    ...valuesFrom(message),
    savedAs: id,
    ends: ends_at !== null,
    endsAt: ends_at === null ? '' : toZonedInput(new Date(ends_at), zone),
    later: scheduled_at !== null,
    sendAt: scheduled_at === null ? '' : toZonedInput(new Date(scheduled_at), zone),
    zone,
  }
}

export const isBlank = ({ to, except, content, files }: MassValues): boolean =>
  content.trim() === '' && files.length === 0 && to.length === 0 && except.length === 0

/** Null for a free message. */
export const priceOf = ({ price }: MassValues): number | null => centsOf(price) || null

export const recipientsOf = (values: MassValues): Recipients => ({
  audience: audienceOf(values.to, values.except),
  fileIds: values.skipOwners ? values.files.map(({ id }) => id) : [],
  skipOwners: values.skipOwners,
  skipRecentHours: values.skipsRecent && wrongHours(values) === null ? Number(values.recentHours) : null,
})

/** When the offer ends; null for no end, and for free messages, which offer nothing. */
function endOf({ ends, endsAt, zone, ...values }: MassValues): Date | null {
  return ends && priceOf({ ends, endsAt, zone, ...values }) !== null ? fromZonedInput(endsAt, zone) : null
}

/** The arguments of `save_mass_message`. An end that is over isn't saved: the field then says so. */
export function argumentsOf(values: MassValues) {
  const price = priceOf(values)
  const preview = price === null ? -1 : values.files.findIndex(({ id }) => id === values.previewId)
  const end = endOf(values)
  return {
    content: values.content.trim(),
    price_cents: price,
    file_ids: values.files.map(({ id }) => id),
    preview_index: preview < 0 ? null : preview,
    audience: audienceOf(values.to, values.except) as unknown as Json,
    skip_owners: values.skipOwners,
    skip_recent_hours: recipientsOf(values).skipRecentHours,
    ends_at: end && end.getTime() > Date.now() ? end.toISOString() : null,
  }
}

const yearMs = 365 * 86_400_000

export const rules = {
  to: (to: string[]) => (to.length > 0 ? null : texts.to),
  content: (content: string, { files }: MassValues) => (content.trim() || files.length > 0 ? null : texts.content),
  price: wrongPrice,
  recentHours: (_hours: unknown, values: MassValues) => wrongHours(values),
  sendAt: (_at: unknown, { later, sendAt, zone }: MassValues) => {
    if (!later) return null
    const at = fromZonedInput(sendAt, zone)?.getTime()
    if (at === undefined) return texts.missing
    if (at <= Date.now()) return texts.past
    return at > Date.now() + yearMs ? texts.far : null
  },
  endsAt: (_at: unknown, values: MassValues) => {
    if (!values.ends || priceOf(values) === null) return null
    const at = endOf(values)?.getTime()
    if (at === undefined) return texts.missing
    if (at <= Date.now()) return texts.past
    const sent = values.later ? fromZonedInput(values.sendAt, values.zone)?.getTime() : undefined
    return sent !== undefined && at <= sent ? texts.endsBefore : null
  },
}

function wrongPrice(price: number | string): string | null {
  const cents = centsOf(price)
  return price === '' || cents === 0 || (cents >= paidMessageMinPriceCents && cents <= priceMaxCents)
    ? null
    : texts.price
}

function wrongHours({ skipsRecent, recentHours }: MassValues): string | null {
  const hours = Number(recentHours)
  const isRight = recentHours !== '' && Number.isInteger(hours) && hours >= 1 && hours <= massMessageHoursMax
  return !skipsRecent || isRight ? null : texts.hours
}

/** Whether the server can keep it as a draft: unfinished, but with nothing that is wrong. */
export const canSave = (values: MassValues): boolean =>
  !isBlank(values) && wrongPrice(values.price) === null && wrongHours(values) === null
