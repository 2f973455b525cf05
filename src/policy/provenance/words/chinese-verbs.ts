/** How Chinese says that somebody decided. Sources: the provenance seed's list of claims; the wordings it names as missed. */
import type { VerbForm } from "./roles.ts";
import { formsOf, type VerbRow } from "./verb-rows.ts";

const AGENT = "(?:我们|我們|我|你们|你|咱们|咱|助手|助理|智能体|机器人|agent|bot|ai|hermes|claude|大家|团队)";

/**
 * What makes a noun of the verb before it: 确认码, 批准率, 指示灯, 同意书. Behind the bars what only looks like it: 同意书面…,
 * 批准单独…, 指示灯光…. A longer word makes one only where the sentence goes on about it: 确认流程可以跳过, not 确认流程改版.
 */
const GOES_ON =
  "(?=[0-9一二三四五六七八九十两共分约由按走从见放存写叫跳省被将仍]|自动(?!化)|以内|内|的|是(?!否)|在|应|需|会|可|有|里|中|上的|要|须|请|太|不[能会可需]|显示|必须|支持|默认|保留|保存|留存|归档|[,。;!?\\s]|$)";
const STEP = `(?:有效期|弹窗|弹框|弹层|浮层|環节|环节|按钮|按鈕|按键|对话框|對話框|勾选框|复选框|提示框|提示语|提示音|短信|消息模板|入口|埋点|漏斗|转化率|(?:页面|頁面|界面|状态|狀態|字段|欄位|次数|次數|人数|人數|比例|列表|清单|机制|機制|事件|节点|回调|流程|逻辑|接口|步骤|操作|记录|邮件|表单|标志|标识|信息|消息|通知|声明|管理|结果|项|情况|方式|范围|文号|额度|金额)${GOES_ON})`;
const RATE = "率(?!先|领)|数(?!据|字|学|码|目|额|次|量级)|量(?!产|化|力|大|贩|身)|总数|笔数|占比|比率";
const PAPER =
  "书(?!面|写|籍|架|房|店|本)|書(?!面|寫)|单(?!独|次|人|笔|日|位|元|纯|方|面|击|选|双|机|页|列|飞)|函|章(?!程|节)|信(?!息|用|号|任|心)";
const PERSON = "者|人(?!工|员|民|数|手|均|物|力)";
const POWER = "權|权(?!衡|且|限的)";
const MOMENT = "(?:时间|時間|日期)(?=[,。;)\\s=]|$|字段|戳|格式|排序|为空|早于|晚于)";
const NOUN = `(?:${MOMENT}|码(?!头|农)|碼|${RATE}|${PAPER}|${POWER}|${PERSON}|度(?!假|日|数|过)|页(?!码|眉|面)|框(?!架)|栏(?!目|杆)|键(?!盘)|性(?!别|能|价)|论(?!文|坛|证)|${STEP})`;
const LIGHT = `(?:灯(?!光|具|泡|带)|燈|牌(?!子)|器|${PAPER}|性(?!别|能|价))`;
const DEMAND = `(?:(?:很|较|更|太|不|越来越)?(?:高|低|严|严格|苛刻|多|少)(?=[,。;\\s了的]|$)|(?:变了|有变|没变|不变|不清|不明|模糊|冲突)|${PAPER}|(?:清单|列表|文档|登记|池|汇总|分析|管理|规格|矩阵|跟踪)${GOES_ON}|度(?!假|日|数|过))`;
/** What a request or an instruction is said to be about when it is a thing. */
const SAID =
  "(?:说|回了|回了句|回了个|回|回复说|表示说|回话说|答复说|回答说|說|表示|回复|回覆|回答|答复|答覆|回话|发话|发消息说|打电话说|来信说|讲|留言|留言说|强调|強調|告诉我|告訴我|跟我说|和我说|对我说|提出|补充说|反馈说)";

/** What follows 说 where it hands on an instruction. Behind the bars what only begins like one: 别人, 不要紧, 请假. */
const DIRECTIVE =
  '(?:[,:]\\s*)?["“「\']?[^,。;!?"“「\\n]{0,10}?(?:(?:以后|今后|今後|以後|下次|往后)[^,。;!?\\n]{0,6}?(?:不|别|都|必须|一律|统一|要|用|按|先|改|由|就|每|只)|(?<![特分区级性类个])[别別](?!人|的|墅|名|处|国|扭|致)|不要(?!紧|脸)|不用(?!担心|客气|谢|急)|不许|不准|不得(?!不)|禁止|必须|一律|统一|都要|就按|就用|就定|先不|先别|只能|只用|要用|改成|改为|务必|得用|还是用|(?:去掉|删掉|删除|保留|换成|推迟到|提前到|停掉|关掉|改到|放到|统一成)(?!了|过))';
/** What follows 说 where it answers. */
const ANSWER =
  "[,:]?\\s*[\"“「']?(?:算了|不做了|不搞了|不要了|不用了|取消吧|就这么|就它|定了|照旧|照办|go ahead|yes|no(?![a-z])|可以(?!说|算)|没问题|没意见|同意|反对|反對|拒绝|赞成|支持|认可|愿意|不行|不可以|不同意|通过|批准|准了|不接受|放行|(?:行|好|好的|ok|成|中)(?=[,。;!?了吧啊的\"”」']|$))";

const ROWS: readonly VerbRow[] = [
  {
    kind: "decision",
    words: "决定 決定",
    unless: `${POWER}|性(?!别|能|价)|论(?!文|坛|证)|书(?!面)|樹|树|因素|系数|者|于|於|了?(?:成败|胜负)`,
  },
  {
    kind: "decision",
    words:
      "拍板 拍了板 定夺 一锤定音 下了决心 下定决心 打定主意 拿定主意 拿了主意 作了决定 做了决定 做出决定 作出决定 做决定了",
  },
  {
    kind: "decision",
    words: "敲定 商定 议定 選定 选定 选中 定下 定下来 定好 說定 说定 讲定 約定 约定 拟定了 定死了",
    unless: NOUN,
  },
  {
    kind: "decision",
    words: "定了 定為 定为 定在 设定了 設定了 限定了 划定了 规定 規定 规定了",
    unless: NOUN,
  },
  { kind: "decision", words: "改主意 改了主意 改变主意 变卦 反悔 收回成命 改口 变了主意 撤回 推翻" },
  { kind: "decision", words: "执意 決意 决意 执意要", follows: "(?:要|不|用|把|按|换|改|走|让)" },
  { kind: "decision", words: "指定", follows: "(?:用|为|由|以|只|在|按)" },
  {
    kind: "decision",
    words: "设了 立了 划了 定了",
    follows: "[^,。;!?\\n]{0,10}?(?:上限|下限|预算|规矩|底线|期限|截止|红线|门槛)",
  },
  {
    kind: "decision",
    words: "把",
    follows:
      "[^,。;!?\\n]{0,6}?(?:预算|上限|期限|截止|价格|日期|时间|标准|范围|限额|名额|频率|门槛)[^,。;!?\\n]{0,4}?(?:定|设|改|砍|压|提|调|限制|控制|放宽|收紧)(?:在|为|成|到|了)",
  },
  {
    kind: "decision",
    words: "把",
    follows: "[^,。;!?\\n]{1,10}?(?:否了|否掉|毙了|批了|定了|定下来|敲定|砍了|撤了|停了|否决了|推翻了)",
  },
  {
    kind: "choice",
    words: "选 要",
    follows: "\\s*(?:第[一二三四五六1-9]|方案|[a-z](?![a-z])\\s*(?:方案|版|款)?)",
  },
  { kind: "choice", words: "选的 定的 挑的", follows: "(?=[,。;:!]|$)" },
  { kind: "decision", words: "宣布 宣佈" },
  { kind: "instruction", words: "放话 放了话 撂下话" },
  {
    kind: "rejection",
    words: "收回了 收回 收回来了",
    follows: "[^,。;!?\\n]{0,8}?(?:授权|许可|批准|同意|承诺|决定|要求)",
  },
  {
    kind: "choice",
    words: "选择了 選擇了 选了 選了 挑了 挑中 选的是 挑选了 看中了 相中了 改选 改用了",
    unless: "$",
  },
  { kind: "choice", words: "选择 選擇", follows: "(?:用|按|走|不|先|保留|继续|放弃|自建|自己|把|将|沿用)" },
  {
    kind: "agreement",
    words:
      "同意 贊同 赞同 赞成 贊成 答应 答應 应允 应了 首肯 默许 采纳了 采纳 採納 认可 認可 认可了 点头 點頭 点了头 表态同意 没意见 没有意见 没异议 没有异议 无异议 无意见 同意了 松口 松了口 给了准信",
    unless: NOUN,
  },
  {
    kind: "agreement",
    words: "接受了",
    follows: "(?:[^,。;!?\\n]{0,10}?)(?:方案|建议|提案|报价|条款|安排|修改|条件|意见|延期|价格)",
  },
  {
    kind: "approval",
    words:
      "批准 批準 钦点 核准 准许 准了 批了 批复 批示 允准 获批 签字 签了字 签批 签发了 放行 亮绿灯 亮了绿灯 开绿灯 开了绿灯 给了绿灯 过目通过 审核通过 审批通过 拍案 发了话 发话 开了口 点名要 授权 授權 授权了 许可 許可",
    unless: `${NOUN}|证|給|栏|处(?!理)|登录|微信|头像|手机号|位置|通知|定位|相机`,
  },
  {
    kind: "approval",
    words: "通过了 过了",
    follows:
      "(?:这|那|该|新|本)?[^,。;!?\\n]{0,10}?(?:方案|提案|预算|设计|计划|初稿|终稿|报价|合同|议案|申请|版本)",
  },
  {
    kind: "confirmation",
    words: "确认 確認 确认了 确认过 確認過 核实了 核实过 确定了 确定 敲实 落实了",
    unless: `${NOUN}|一下|性|不了`,
  },
  {
    kind: "instruction",
    words:
      "要求 吩咐 嘱咐 囑咐 叮嘱 叮囑 叮咛 交代 交待 命令 下令 下达 责成 指令 勒令 明令 三令五申 关照 要求了",
    unless: `${DEMAND}|下`,
  },
  { kind: "instruction", words: "指示", unless: LIGHT },
  {
    kind: "instruction",
    words:
      "让 讓 叫 请 請 托 委托 委託 派 催 要 想让 想要 希望 盼 拜托 拜託 想请 盼着 需要 允许 允許 准 授意 支使 提醒 安排 指派 指定",
    follows: `${AGENT}(?!们|們|的|家|司|小|老|阿|吃|喝|想起|感到|觉得|惊|开心|很)`,
  },
  {
    kind: "permission",
    words: "允许 允許 准许 許可 许可",
    unless: `${NOUN}|的|证|协议|条款|(?:了)?(?:通知|定位|相机|麦克风|权限|推送|cookie|位置|存储|蓝牙|后台|访问)`,
  },
  {
    kind: "instruction",
    words: "希望 要 想让",
    follows: "(?:所有|全部|一律|统一|统统|每次|每条|每份|凡是|别再|不要再)",
  },
  {
    kind: "instruction",
    words: "希望",
    follows:
      "[^,。;!?\\n]{1,16}(?:一律|统一|别再|別再|不要|不再|必须)|(?:以后|今后|以後|今後)(?:别|別|都|每次|每)",
  },
  { kind: "instruction", words: SAID_WORDS(), follows: DIRECTIVE },
  { kind: "approval", words: SAID_WORDS(), follows: ANSWER },
  {
    kind: "instruction",
    words: "坚持 堅持",
    follows: "(?:要|用|不(?:再|用|要|让|改|换|公开|买|给)|把|只|先|让|按)",
  },
  {
    kind: "rejection",
    words:
      "否决 否決 否了 否掉了 驳回 駁回 回绝 回絕 谢绝 謝絕 婉拒 婉拒了 拒绝了 拒絕了 拒掉了 排除了 打消了 叫停 喊停 毙掉 毙了 一票否决 推掉了 推掉 反对 反對 放弃了 放棄了 砍掉 砍了 搁置 擱置 作罢 打回 退回了 毙掉了 划掉了 回掉 拒了 推了",
  },
  {
    kind: "rejection",
    words: "拒绝 拒絕",
    follows:
      "(?!了)(?:把|将|用|使用|采用|接入|安装|升级|续费|开放|迁移|支付|加|换|让|任何|所有|这|那|再|为|给|在|继续)",
  },
  {
    kind: "rejection",
    words: "不想 不愿意 不要 不接受 不采纳 不赞成",
    follows: "(?:让|用|再|把|任何|续|换|改|做|加)",
  },
  {
    kind: "prohibition",
    words:
      "禁止 严禁 嚴禁 不准 不许 不許 不让 不讓 不允许 不允許 不得让 禁用了 封禁了 不准许 不同意让 明令禁止 不希望我 不想让我 不要我 不想我",
  },
  {
    kind: "agreement",
    words:
      "对齐了 对好了 对过了 商定 说好 說好 约定 約定 敲定 定下 定下来 定了 定好 讲好 约好 谈妥 談妥 谈好 达成一致 達成一致 说定 议定 一致同意 一致决定 决定 決定 商量好 商量定 拍板 谈定",
    after: "joint",
  },
  {
    kind: "instruction",
    words: "说的 說的 讲的 吩咐的 交代的 要求的 意思 指示的 定的 吩咐 交代 说法",
    after: "as",
  },
];

function SAID_WORDS(): string {
  return SAID.replace(/[()?:]/g, "").replaceAll("|", " ");
}

const PREFERENCES: readonly VerbRow[] = [
  { kind: "preference", words: "喜欢 喜歡 偏好 偏爱 偏愛 爱用 愛用 更喜欢 不喜欢 讨厌 討厭 钟爱 习惯用" },
];

export const CHINESE_VERBS: ReadonlyMap<string, readonly VerbForm[]> = formsOf("zh", ROWS);
export const CHINESE_PREFERENCES: ReadonlyMap<string, readonly VerbForm[]> = formsOf("zh", PREFERENCES);
