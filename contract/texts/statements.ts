import { formerMember, paymentKinds, refundTexts } from './refunds.ts'

/** The readable statement of a creator's earnings: on the dashboard, and in its CSV and PDF (LOOP-21). */
export const statementTexts = {
  title: 'Statement',
  hint: 'Every payment and refund, with its fee and what you earned.',
  csv: 'Download CSV',
  month: 'Month',
  pdf: 'Download PDF',
  error: 'Statement error',
  audit: {
    title: 'Audit file: how to check it',
    hint: 'The audit file has every movement of your balance. Each line has a checksum of all the lines before it, so you can verify the file offline with this open-source command:',
    command: 'npm run verify-statement FILE',
    download: 'Download audit file',
  },
  columns: {
    date: 'Date',
    item: 'Item',
    payer: 'Payer',
    gross: 'Gross',
    fee: 'Fee',
    net: 'Net',
    currency: 'Currency',
  },
  formerMember,
  /** An item, such as "Subscription: Backstage". */
  item: (type: string, status: string, title: string | null) => {
    const kind =
      status === 'failed' ? refundTexts.turnedDown : (paymentKinds[type as keyof typeof paymentKinds] ?? type)
    return title ? `${kind}: ${title}` : kind
  },
  pdfTitle: (site: string) => `${site} statement`,
  of: (name: string, month: string) => `${name}, ${month}`,
  total: 'Total',
  none: 'No payments this month.',
  page: (page: number) => `Page ${page}`,
  note: 'Amounts in US dollars. Dates are in UTC.',
} as const
