import { paths } from '@ovation/contract/paths'
import { giftEmailTexts } from '@ovation/contract/texts/gift-emails'
import type { Mailer } from '../../mail/mailer.ts'
import { renderEmail } from '../../mail/render-email.ts'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'

type GiftServices = Pick<Payments, 'config' | 'database' | 'log'> & { readonly mailer: Mailer; siteUrl(): string }

type GiftEmail = {
  readonly id: string
  readonly email: string
  readonly code: string
  /** Null after the giver's account was deleted. */
  readonly giver_name: string | null
  readonly creator_name: string
  /** In words: 3 months of Gold. */
  readonly gift: string
  readonly message: string | null
  readonly expires_at: Date
}

/**
 * Delivers the gifts that are due (OFFER-02): to users by notification, which the database does, and to addresses by email. Ends those
 * that nobody redeemed in time, and those whose months are over. An email that couldn't be handed over is due again in ten minutes.
 */
export async function deliverGifts(services: GiftServices): Promise<void> {
  const { service } = services.database
  await service.rows(sql`select private.end_gifts()`)
  const due = await service.rows<GiftEmail>(sql`select * from private.deliver_gifts()`)
  for (const gift of due) {
    try {
      await services.mailer.send(renderEmail(composeEmail(services, gift)))
      await service.rows(sql`select private.note_gift_sent(${gift.id})`)
    } catch (err) {
      services.log.warn({ err, giftId: gift.id }, 'the email of a gift was not sent and will be retried')
    }
  }
}

function composeEmail({ config, siteUrl }: GiftServices, gift: GiftEmail) {
  const { productName } = config.operator
  const about = {
    giver: gift.giver_name ?? giftEmailTexts.someone,
    gift: gift.gift,
    creator: gift.creator_name,
    message: gift.message,
    until: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(gift.expires_at)),
    productName,
  }
  return {
    to: gift.email,
    ...giftEmailTexts.gift(about),
    action: { label: giftEmailTexts.redeem, url: `${siteUrl()}${paths.gift(gift.code)}` },
    closing: giftEmailTexts.closing(about),
    productName,
  }
}
