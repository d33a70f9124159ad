import { Text } from '@mantine/core'
import { breakEvenCents, marginOf, processingFee, splitPayment } from '@ovation/contract/fees'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { appConfig } from '../../../lib/api/config.ts'
import { formatCents } from '../../../lib/format/format-number.ts'
import { FiguresTable } from './figures-table.tsx'
import classes from './operations.module.css'

const texts = operationsTexts.money.margins
/** From the minimum charge up. */
const prices = [100, 300, 500, 999, 2_500, 10_000] as const

/** What Stripe's fee leaves of the platform's, so that operators see a loss on small payments in advance. */
export function Margins() {
  const { feePercent } = appConfig()
  const { percent, fixedCents, foreignCardPercent, disputeCents } = processingFee
  const plain = breakEvenCents(feePercent)
  const withCommission = breakEvenCents(feePercent, { withCommission: true })
  const sentences = [
    texts.fees(`${percent}%`, `${fixedCents}¢`),
    plain === undefined ? texts.never : texts.breakEven(formatCents(plain)),
    plain !== undefined &&
      (withCommission === undefined
        ? texts.neverWithCommission
        : texts.breakEvenWithCommission(formatCents(withCommission))),
    texts.more(`${foreignCardPercent}%`, formatCents(disputeCents)),
  ]
  return (
    <section aria-labelledby="margins">
      <h2 id="margins" className={classes.heading}>
        {texts.title}
      </h2>
      <Text size="sm" c="dimmed" mb="md">
        {sentences.filter(Boolean).join(' ')}
      </Text>
      <FiguresTable
        caption={texts.table}
        head={[texts.price, texts.share(feePercent), texts.processing, texts.left]}
        rows={prices.map((price) => {
          const { processingCents, leftCents } = marginOf(price, feePercent)
          return [
            formatCents(price),
            formatCents(splitPayment(price, feePercent).feeCents),
            formatCents(processingCents),
            formatCents(leftCents),
          ]
        })}
      />
    </section>
  )
}
