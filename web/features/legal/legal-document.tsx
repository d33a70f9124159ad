import { List, Text, Title } from '@mantine/core'
import { type LegalSection, legalTexts } from '@ovation/contract/texts/legal'
import { Page } from '../../ui/page.tsx'
import classes from './legal-document.module.css'

const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** A numbered text with its date, which is always today's (STAT-06). */
export function LegalDocument({ title, sections }: { title: string; sections: LegalSection[] }) {
  return (
    <Page title={title}>
      <Text c="dimmed">{legalTexts.lastUpdated(today.format(new Date()))}</Text>
      <ol className={classes.sections}>
        {sections.map((section) => (
          <li key={section.title} className={classes.section}>
            <Title order={2} className={classes.heading}>
              {section.title}
            </Title>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {section.points && (
              <List spacing="xs" withPadding>
                {section.points.map((point) => (
                  <List.Item key={point}>{point}</List.Item>
                ))}
              </List>
            )}
          </li>
        ))}
      </ol>
    </Page>
  )
}
