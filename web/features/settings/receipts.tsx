import { Anchor, Button, Group } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatDate, formatExact } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { type Receipt, receiptsQuery } from './receipts-query.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.receipts

/** The user's payments, with a receipt for each, and the way to the post that was paid for. */
export function Receipts({ profileId }: { profileId: string }) {
  const receipts = useQuery(receiptsQuery(profileId))
  const [opened, setOpened] = useState<Receipt>()
  return (
    <Section title={texts.title}>
      {!receipts.data && receipts.isError ? (
        <LoadFailed title={texts.loadFailed} of={receipts} />
      ) : !receipts.data ? (
        <ListSkeleton rows={2} />
      ) : receipts.data.length === 0 ? (
        <p className={classes.sectionMessage}>{texts.empty}</p>
      ) : (
        <ul className={classes.rows}>
          {receipts.data.map((receipt) => (
            <li key={receipt.id} className={classes.row}>
              <div className={`${classes.rowWords} ${classes.shortText}`}>
                <div className={classes.rowTitle}>
                  <span className="facts">
                    <span>
                      <Kind receipt={receipt} />
                    </span>
                    <span>{payeeOf(receipt)}</span>
                  </span>
                </div>
                <p className={classes.rowDetail}>
                  <span className="facts">
                    <span>{formatDate(receipt.created_at)}</span>
                    {refundOf(receipt) && <span>{refundOf(receipt)}</span>}
                  </span>
                </p>
              </div>
              <div className={classes.rowActions}>
                <span className={classes.amount}>{formatCents(receipt.amount)}</span>
                <Button
                  variant="subtle"
                  color="gray"
                  onClick={() => setOpened(receipt)}
                  aria-label={texts.open(formatDate(receipt.created_at))}
                >
                  {texts.receipt}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {opened && <ReceiptDialog receipt={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

function ReceiptDialog({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const { operator, name } = appConfig()
  const facts = [
    [texts.number, receipt.id.slice(0, 8).toUpperCase()],
    [texts.date, formatExact(receipt.created_at)],
    [texts.for, kindOf(receipt)],
    [texts.paidTo, payeeOf(receipt)],
    [texts.amount, [formatCents(receipt.amount), refundOf(receipt)].filter(Boolean).join(' · ')],
    [texts.through, `${name}, ${operator.name}, ${operator.address}`],
  ] as const
  return (
    <Dialog title={texts.receipt} onClose={onClose}>
      <dl className={`${classes.facts} ${classes.receipt}`}>
        {facts.map(([term, text]) => (
          <Fact key={term} term={term} text={text} />
        ))}
      </dl>
      <Group justify="flex-end" mt="lg" className={classes.noPrint}>
        <Button variant="default" onClick={() => window.print()}>
          {texts.print}
        </Button>
      </Group>
    </Dialog>
  )
}

const Fact = ({ term, text }: { term: string; text: string }) => (
  <>
    <dt>{term}</dt>
    <dd>{text}</dd>
  </>
)

/** What the payment was for, linked to what was bought. */
function Kind({ receipt }: { receipt: Receipt }) {
  const { post_id, bought_product_id } = receipt
  const target = post_id ? paths.post(post_id) : bought_product_id && paths.product(bought_product_id)
  if (!target) return kindOf(receipt)
  return (
    <Anchor component={Link} to={target} inherit>
      {kindOf(receipt)}
    </Anchor>
  )
}

const kindOf = ({ transaction_type: type, goal }: Receipt): string =>
  goal ? texts.tipToward(goal.title) : (texts.kinds[type] ?? texts.other)
const payeeOf = ({ payee }: Receipt): string => (payee ? nameOf(payee) : texts.gone)
const refundOf = ({ status }: Receipt): string | undefined =>
  status === 'refunded' ? texts.refunded : status === 'partially_refunded' ? texts.partiallyRefunded : undefined
