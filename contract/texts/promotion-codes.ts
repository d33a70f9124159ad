/** Said by the form and by the server. */
export const promotionForm = 'A code has 3 to 30 letters, digits, hyphens and underscores'

/** Promotion codes: the creator's list and form, and the fan's field. */
export const promotionTexts = {
  title: 'Promotion codes',
  introduction: 'Whoever has a code pays less for your plans. It takes the place of a free trial.',
  loadFailed: 'Your codes could not be loaded',
  none: 'No code yet.',
  form: 'New promotion code',
  code: 'Code',
  codeHint: 'What fans type, for example SUMMER26',
  percent: 'Percent off',
  percentHint: 'From 1 to 100',
  duration: 'For',
  durations: { once: 'the first payment', repeating: 'three months', forever: 'as long as they stay' },
  limit: 'How many people may use it',
  limitHint: 'Leave it empty for no limit',
  lastDay: 'Last day',
  lastDayHint: 'To its end; leave it empty for no end',
  until: (day: string) => `until ${day}`,
  over: 'Over',
  create: 'Create code',
  created: (code: string) => `${code} is ready to be shared`,
  error: 'Promotion Code Error',
  errors: {
    code: promotionForm,
    percent: 'Enter a whole number from 1 to 100',
    limit: 'Enter a whole number, or leave it empty',
    lastDay: 'Choose a day that is not over',
  },
  line: (percent: number | null, cents: string | null, duration: string) =>
    `${percent === null ? cents : `${percent}%`} off, ${duration}`,
  months: (months: number) => `for ${months} ${months === 1 ? 'month' : 'months'}`,
  retired: 'Retired',
  retire: 'Retire',
  retireNamed: (code: string) => `Retire ${code}`,
  /** The fan's side. */
  have: 'I have a promotion code',
  yours: 'Promotion code',
  discount: (price: string, duration: string) => `With your code ${price} ${duration}`,
  discountFor: { once: 'for the first payment', forever: 'for as long as you stay' },
} as const
