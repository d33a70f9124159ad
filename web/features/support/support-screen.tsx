import { Button, Text, Title } from '@mantine/core'
import type { SupportCategory } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { supportTexts as texts } from '@ovation/contract/texts/support'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { Page } from '../../ui/page.tsx'
import { ContactCard } from './contact-card.tsx'
import { Faq } from './faq.tsx'
import { QuickHelp } from './quick-help.tsx'
import { RequestForm } from './request-form.tsx'
import classes from './support-screen.module.css'
import { useSupportForm } from './use-support-form.ts'

/** SUPP-01, for visitors too */
export function SupportScreen() {
  const support = useSupportForm()
  const select = useRef<HTMLSelectElement>(null)
  const choose = (category: SupportCategory) => {
    support.form.setFieldValue('category', category)
    // The select instead of the first field: it announces the chosen value, and opens no keyboard on a phone.
    select.current?.focus({ preventScroll: true })
    select.current?.form?.scrollIntoView({ block: 'center' })
  }

  return (
    <Page title={texts.title} lead={texts.intro} width="wide">
      <ContactCard />
      <section className={classes.section} aria-labelledby="support-quick-help">
        <Heading id="support-quick-help">{texts.quickHelp.title}</Heading>
        <Text c="dimmed" mb="md">
          {texts.quickHelp.message}
        </Text>
        <QuickHelp chosen={support.form.values.category} onChoose={choose} />
      </section>
      <div className={classes.columns}>
        <section aria-labelledby="support-faq">
          <Heading id="support-faq">{texts.faq.title}</Heading>
          <Faq />
        </section>
        <section aria-labelledby="support-form">
          <Heading id="support-form">{texts.form.title}</Heading>
          <RequestForm support={support} categoryRef={select} />
        </section>
      </div>
      <section className={classes.section} aria-labelledby="support-more">
        <Heading id="support-more">{texts.cards.title}</Heading>
        <div className={classes.cards}>
          <Card {...texts.cards.settings}>
            <Button variant="default" component={Link} to={paths.settings}>
              {texts.cards.settings.action}
            </Button>
          </Card>
          <Card {...texts.cards.billing}>
            <Button variant="default" onClick={() => choose('Billing')}>
              {texts.cards.billing.action}
            </Button>
          </Card>
          <Card {...texts.cards.safety}>
            <Button variant="default" component={Link} to={paths.settingsTab('privacy')}>
              {texts.cards.safety.action}
            </Button>
          </Card>
        </div>
      </section>
    </Page>
  )
}

function Card({ title, message, children }: { title: string; message: string; children: ReactNode }) {
  return (
    <div className={`surface ${classes.card}`}>
      <h3 className={classes.cardTitle}>{title}</h3>
      <Text size="sm" c="dimmed" className={classes.cardMessage}>
        {message}
      </Text>
      {children}
    </div>
  )
}

function Heading({ id, children }: { id: string; children: string }) {
  return (
    <Title order={2} id={id} className={classes.heading}>
      {children}
    </Title>
  )
}
