/** The analytics of a creator (STATX). */
export const analyticsTexts = {
  title: 'Analytics',
  views: {
    revenue: 'Revenue',
  },
  period: {
    label: 'Period',
    ranges: { '7': '7 days', '30': '30 days', '90': '90 days', '365': '12 months', own: 'Dates' },
    from: 'First day',
    to: 'Last day',
    shown: (from: string, to: string, previousFrom: string, previousTo: string) =>
      `${from} to ${to}, compared with ${previousFrom} to ${previousTo}.`,
    zone: (zone: string) => `Days are in the time zone ${zone}.`,
    errors: {
      incomplete: 'Enter both days.',
      order: 'Enter a first day before the last one.',
      future: 'Enter a last day that is not after today.',
      long: 'Choose up to 366 days.',
      early: 'Enter a first day after 2000.',
    },
  },
  figure: {
    view: (title: string) => `Show "${title}" as`,
    chart: 'Chart',
    table: 'Table',
    csv: 'CSV',
    csvOf: (title: string) => `Download "${title}" as CSV`,
    day: 'Day',
    week: (day: string) => `Week of ${day}`,
    marks: 'Noted',
  },
  /** A chart in words. */
  words: {
    sum: (label: string, total: string) => `${label}: ${total} in total.`,
    most: (label: string, value: string, at: string) => `Most ${label}: ${value}, ${at}.`,
    course: (label: string, first: string, last: string) => `${label}: ${first} at the beginning, ${last} at the end.`,
    still: (label: string, value: string) => `${label}: ${value} throughout.`,
    highest: (value: string, at: string) => `Highest: ${value}, ${at}.`,
    lowest: (value: string, at: string) => `Lowest: ${value}, ${at}.`,
    each: (row: string, values: string) => `${row}: ${values}.`,
    value: (label: string, value: string) => `${label} ${value}`,
    mark: (day: string, name: string) => `${day}: ${name}.`,
    more: (count: number) => `${count} more in the table.`,
  },
  /** Compared with the previous period. */
  change: {
    percent: (percent: string) => `${percent} vs. previous period`,
    same: 'as in the previous period',
    from: (value: string) => `${value} in the previous period`,
  },
} as const
