/**
 * What behind a Chinese verb turns a report into a rule, a question or a name (the seed: 用户确认收货后,订单完成;
 * 用户同意隐私政策才能注册; 老板同意的报销单), and what only looks like it (用户确认后天…, 用户决定前端…, 用户确认时间…).
 */
import { ACTS } from "./reactions.ts";
import type { Reading, Saying } from "./reading.ts";

const AFTER =
  "(?:之后|之後|以后|以後|过后|(?<![延推滞落今往先前最然随此背幕事])(?:後(?!天|端|台|续|面)|后(?!天|端|台|续|面|半|来|缀|期|勤|门|厨|院|座|悔|果|备|排|市|代|世|续)))";
const WHEN =
  "(?:的时候|的時候|之时|(?<![小工临及准按定实平同暂随有届当])(?:時(?!間|段|區)|时(?!间|区|长|段|效|薪|刻|机|速|髦|尚|隔|常|代|差|限|装|报|事|光)))";
const UNTIL =
  "(?:之前|以前|前(?![一二三四五六七八九十两几半0-9 ]|端|台|面|天|期|后|缀|三|两|几|沿|置|言|提|排|方|任|往|景|进|者))";
const ONLY =
  "(?:才能|才会|才會|才可|才算|才给|才允许|才显示|才出现|才是|方(?:可|能|才|有效|为有效|准|许|予)|才有|才生效|才行|才可以|才好|才让)";
const INSIDE = "[^,。;:!?\\n]";

/** Right behind the verb. */
const AT_ONCE = new RegExp(
  `\\s*(?:了|过)?\\s*(?:${AFTER}|${WHEN}|${UNTIL}|${ONLY}|与否|與否|一下|的话|的話|吗|嗎|么|嘛|没有?(?=[,。?\\s]|$)|不(?=[?。]|$)|了没|而定|为准|為準|即可|即视为|视为|即(?!将|便|使|刻|日)|则|之日|日起|当日起|起(?=[,。])|\\/|或(?!许)|不等于|不代表|不意味|满(?!意|足)|以外|之外|当天|当日|次日|一次(?!性)|待定|未定|中(?=[,。]|$)|这一?[步关环]|在先|在前(?!端|台)|优先|[^,。;]{0,12}缺一不可)`,
  "y",
);
const LASTING = /(?:以后|以後)(?![,再才即方]|$)/y;
/** The same, for what one does to something: 确认再发. 决定再等 is what was decided. */
const THEN = /\s*(?:了|过)?\s*(?:才(?!华|人)|再(?!次|三)|就(?!绪|业))/y;
/** A column's name in two languages: `用户 approved 字段`. */
const FIELD =
  /\s*(?:字段|列|标志|状态|事件|按钮|枚举|回调|标签|参数|变量|接口|数|率|时间戳)(?![\u3400-\u9fff]*(?:上线|改))/y;
/** A verb with 的 is part of a noun, unless the noun is missing: 是老板批准的。 */
const NAME = /\s*(?:了|过)?的(?!是|[,。;!?)\s]|$|时候)/y;
/** Within the same clause, for what one does to something: confirm a delivery, agree to terms. */
const LATER = new RegExp(
  `${INSIDE}{0,12}?(?:${AFTER}(?:,|再|才|就|即|方|自动|自動|立即|系统|会|可|便)|${WHEN}|${UNTIL}(?:,|不|禁)|${ONLY}|的话|即可|即视为|视为|就算|就能|就会|就可|就(?:不再|不|自动|直接)?(?:显示|展示|弹|跳转|隐藏|扣|推送|返回|触发|写入|关闭|进入|发送)|则(?!是))`,
  "y",
);
/** 用户确认无误后提交订单. */
const SHORTLY = new RegExp(`[^,。;:!?\\n了]{1,4}?${AFTER}(?!的)`, "y");
const THING =
  /[^,。;:!?\n了]{0,10}?的(?:回调|事件|接口|按钮|页面|弹窗|订单|请求|比例|人数|次数|数量|概率|记录|记錄|日志|字段|状态|列表|流程|入口|通知|短信|截图|录音|凭证|时间戳|占比|场景|用例|路径|漏斗|转化率|样例|示例|文案|话术|数据|埋点|勾选|协议|条款)/y;
/** 用户批准是上线的前提: the verb is a noun. */
const PREREQUISITE = /是[^,。;]{0,8}(?:前提|必须|必需|必要|条件|一步|关键|基础|底线|门槛|先决|硬性|环节)/y;
/** 记录用户同意了哪一版: what exactly is not said. */
const ASKED = /[^,。;:!?\n]{0,10}?(?:什么|什麼|哪|几次|幾次|多少|谁|怎样|如何)/y;
/** 用户要求退款的,七天内处理: whoever does. */
const WHOEVER = /(?!了)[^,。;:!?\n了]{2,12}的,/y;
/** 用户要求注销时,…. What is asked for each time is an instruction. */
const WHENEVER = new RegExp(`(?!每|所有|以后|凡)[^,。;:!?\\n]{1,7}?${WHEN},`, "y");
const QUESTION = /[^,。;:!\n]{0,40}?(?:吗|嗎|没有|与否)(?=[?。\s]|$)/y;

/** 用户批准一笔提现,系统就写…, 用户确认收款,订单即关闭: what a product does each time. */
const PRODUCT =
  "(?:系统|系統|订单|訂單|接口|页面|頁面|服务端|服务器|服务|后台|後台|应用|程序|合同|状态|按钮|弹窗|客户端|前端|后端|库存|账号|账户|钱包|小程序|平台|网关|数据库|流程|数据|任务|队列|消息|通知|工单|单据|令牌|会话|链接|验证码|权限|二维码|草稿|app|api)";
const HABIT =
  "(?:就|便|即(?!将|使)|则|会|才|都|自动|自動|立即|随即|不再|方可|将自动|需|应|也会|[\\u3400-\\u9fff]{0,2}?(?:推送|返回|跳转|显示|弹出|写入|生成|触发|关闭|更新|变为|变成|扣|减|发送|记录|回调|刷新|置为|置灰|通知|进入|作废|入账|释放|锁定|解锁|隐藏|展示|归档|不可[恢逆撤]|无法|有效|失效|生效|过期|清空|保存))";
const REACTION = new RegExp(
  `(?!了|过)[^,。;:!?\\n了过]{0,14},\\s*(?:${PRODUCT}[\\u3400-\\u9fff]{0,3}?${HABIT})(?![^,。;\\n]{0,14}了)`,
  "y",
);
/** 用户批准一张请假条,…便…: any one. */
const ANY_ONE =
  /(?:任一|任意|任何|每?一(?:[笔張张次条條个個份单單项項台页封件则則道步])(?!了))(?!起)[^,。;:!?\n了过]{0,12},\s*[\u3400-\u9fff]{0,8}?(?:就|便|即(?!将|使)|则|会|自动|扣|减|加|不再)/y;

/** 用户拒绝了邀请就移出名单; not 用户确认周五就搬, 同意就按这个价报. */
const AT_THAT =
  /(?!如果|要是|只要|一旦|若|除非|每)[^,。;:!?\n]{1,10}?(?<![天日号月年周一二三四五六点晚早午前早])就(?![是绪业诊近餐读医地此差这按用选])/y;
/** 老板批准请假单,考勤自动更新; not 下月起自动扣款, which begins. */
const AUTOMATIC =
  /[^,。;:!?\n了过]{1,14},\s*(?![^,。;\n]{0,8}[起始])[\u3400-\u9fff]{0,6}?(?:自动|自動)(?!化)/y;
/** 结算逻辑:…. */
const LOGIC = /^\s*[\u3400-\u9fff]{0,8}(?:逻辑|邏輯|状态机|伪代码|交互|回调|埋点)\s*:/;

/** Without one of these close by, none of the patterns below can match. */
const HINTS = /[后後时時前才的即则就视什哪几幾多谁怎如]/;

/** Whether what follows the verb makes the saying a rule, a question or a noun. @param verb index of its word */
export function isRule(reading: Reading, saying: Saying, verb: number): boolean {
  const { form, head } = saying;
  const isChinese = reading.isHan(verb);
  const isAct = ACTS.has(form.kind);
  // 说以后不要…: what follows is already read.
  const isRead = form.follows !== undefined;
  const at = isRead ? head.end : (reading.at(verb)?.end ?? head.end);
  if (!isChinese) {
    if (!reading.isHan(verb + 1)) return false;
    return follows(FIELD, reading, at) || follows(AT_ONCE, reading, at) || follows(THEN, reading, at);
  }
  if (
    reading.asks &&
    follows(QUESTION, reading, at) &&
    (isAct || /[吗嗎?]/.test(reading.lower.slice(at, reading.end)))
  )
    return true;
  if (isRead) return false;
  if (form.after !== "as" && follows(NAME, reading, at)) return true;
  if (follows(PREREQUISITE, reading, at)) return true;
  // 要求以后都抄送: how it is to be from then on.
  const isLasting = !isAct && follows(LASTING, reading, at);
  if ((!isLasting && follows(AT_ONCE, reading, at)) || (isAct && follows(THEN, reading, at))) return true;
  if (isAct && isHabit(reading, at)) return true;
  if (!HINTS.test(reading.lower.slice(at, Math.min(reading.end, at + 20)))) return false;
  if (follows(ASKED, reading, at) || follows(WHOEVER, reading, at) || follows(WHENEVER, reading, at))
    return true;
  return (
    isAct && (follows(LATER, reading, at) || follows(SHORTLY, reading, at) || follows(THING, reading, at))
  );
}

/** As many characters as the patterns for habits look at before their comma, and its clause's first words. */
const NEAR = 24;
const LONGEST_LABEL = 16;

/** What happens each time somebody acts. */
function isHabit(reading: Reading, at: number): boolean {
  const { lower, start, end } = reading;
  const head = lower.slice(start, start + LONGEST_LABEL);
  if (head.includes(":") && LOGIC.test(head)) return true;
  const near = lower.slice(at, Math.min(end, at + NEAR));
  if (near.includes("就") && follows(AT_THAT, reading, at)) return true;
  return (
    near.includes(",") &&
    (follows(AUTOMATIC, reading, at) || follows(REACTION, reading, at) || follows(ANY_ONE, reading, at))
  );
}

function follows(pattern: RegExp, { lower, end }: Reading, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(lower) && pattern.lastIndex <= end + 1;
}
