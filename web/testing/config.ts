import type { AppConfig } from '../lib/api/config.ts'

export const testConfig: AppConfig = {
  supabaseUrl: '',
  filesUrl: '',
  anonKey: 'public-key',
  pushKey: 'BPushKey',
  name: 'Ovation',
  environment: 'test',
  stripeMode: 'sandbox',
  feePercent: 10,
  hasCustomDomains: true,
  operator: {
    name: 'Ovation Media LLC',
    address: '1 Theater Row, Portland, Oregon',
    jurisdiction: 'the State of Oregon, USA',
    supportEmail: 'support@ovation.example',
  },
}
