import { Anchor, List, Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { type LegalSection, legalTexts } from '@ovation/contract/texts/legal'
import { Link } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import { Page } from '../../ui/page.tsx'
import classes from './legal-document.module.css'

const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** A document with numbered sections. Its date is always today (STAT-06). */
export function LegalDocument({ title, sections }: { title: string; sections: LegalSection[] }) {
  return (
    <Page title={title} lead={legalTexts.lastUpdated(today.format(new Date()))}>
      <ol className={classes.sections}>
        {sections.map((section) => (
          <li key={section.title} className={classes.section}>
            <Title order={2} className={classes.heading}>
              {section.title}
            </Title>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{linked(paragraph, title)}</p>
            ))}
            {section.points && (
              <List spacing="xs" withPadding>
                {section.points.map((point) => (
                  <List.Item key={point}>{linked(point, title)}</List.Item>
                ))}
              </List>
            )}
          </li>
        ))}
      </ol>
    </Page>
  )
}

/** Links the operator's email address and the other document's title wherever the text contains them. */
function linked(text: string, title: string) {
  const { supportEmail } = appConfig().operator
  const links = new Map([
    [supportEmail, `mailto:${supportEmail}`],
    [legalTexts.privacyTitle, paths.privacyPolicy],
    [legalTexts.termsTitle, paths.termsOfService],
  ])
  const names = [...links.keys()].filter((name) => name && name !== title)
  const pieces = text.split(new RegExp(`(${names.map(literally).join('|')})`))
  return pieces.map((piece) => {
    const to = names.includes(piece) && links.get(piece)
    return to ? (
      <Anchor key={piece} component={Link} to={to} underline="always">
        {piece}
      </Anchor>
    ) : (
      piece
    )
  })
}

/** Escapes the text for use in a regular expression. */
const literally = (text: string) => text.replace(/[\\^$.*+?|()[\]{}]/g, '\\$&')
