import { trackingLinkTexts } from '@ovation/contract/texts/tracking-links'
import { type LinkFigures as Figures, linkFigures } from '../../domain/tracking-links/queries.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import classes from './links.module.css'

const { title, ...texts } = trackingLinkTexts.figures

/** A figure of a link, which is a number or money. */
export const formatFigure = (figures: Figures, name: (typeof linkFigures)[number]): string =>
  name === 'earned_cents' ? formatCents(figures[name]) : formatCount(figures[name])

/** The figures of a link in total (LINK-01). */
export function LinkFigures({ figures }: { figures: Figures }) {
  return (
    <dl className={classes.figures} aria-label={title}>
      {linkFigures.map((name) => (
        <div key={name}>
          <dt>{texts[name]}</dt>
          <dd>{formatFigure(figures, name)}</dd>
        </div>
      ))}
    </dl>
  )
}
