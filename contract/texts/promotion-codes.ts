/** Used by the form and the server. */
export const promotionForm = 'Use 3 to 30 letters, numbers, hyphens, or underscores'

/** Promotion codes: the creator's list and form, and the fan's field. */
export const promotionTexts = {
  title: 'Promotion codes',
  introduction: 'Give fans a discount on your plans. A code replaces the free trial.',
  loadFailed: "Couldn't load your codes",
  none: 'No codes yet.',
  form: 'New promotion code',
  code: 'Code',
  codeHint: 'What fans enter, such as SUMMER26',
  percent: 'Percent off',
  percentHint: 'From 1 to 100',
  duration: 'For',
  durations: { once: 'the first payment', repeating: 'three months', forever: 'as long as they stay' },
  limit: 'Usage limit',
  limitHint: 'Leave blank for no limit',
  lastDay: 'Last day',
  lastDayHint: 'Valid through this day. Leave blank for no expiration.',
  until: (day: string) => `until ${day}`,
  over: 'Expired',
  create: 'Create code',
  created: (code: string) => `${code} is ready to share`,
  error: 'Promotion code error',
  errors: {
    code: promotionForm,
    percent: 'Enter a whole number from 1 to 100',
    limit: 'Enter a whole number, or leave it blank',
    lastDay: 'Choose today or a later date',
  },
  line: (percent: number | null, cents: string | null, duration: string) =>
    `${percent === null ? cents : `${percent}%`} off, ${duration}`,
  months: (months: number) => `for ${months} ${months === 1 ? 'month' : 'months'}`,
  retired: 'Inactive',
  retire: 'Deactivate',
  retireNamed: (code: string) => `Deactivate ${code}`,
  /** For fans. */
  have: 'I have a promotion code',
  yours: 'Promotion code',
  discount: (price: string, duration: string) => `With your code: ${price} ${duration}`,
  discountFor: { once: 'for the first payment', forever: 'for as long as you stay' },
} as const
