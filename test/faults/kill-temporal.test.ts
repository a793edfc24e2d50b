import { describeKills } from './kills.ts'

describeKills('temporal')
